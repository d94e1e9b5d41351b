import { Alert, Button, Group, List, Stack, Text } from '@mantine/core'
import { attestations } from '@pdfnorm/contracts/endpoint/attestations'
import { IconLock, IconShieldOff } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { CallSnippet } from '../calls/call-snippet.tsx'
import { Page } from '../page/page.tsx'
import { useFocusKept } from '../page/use-focus-kept.ts'
import { ProblemAlert } from '../problem/problem-alert.tsx'
import { ChosenFiles } from './chosen-files.tsx'
import { type Proof, recognize } from './dropped-file.ts'
import { VerdictView } from './verdict-view.tsx'
import { verifyProof } from './verify-proof.ts'

interface Chosen {
  pdf: File | null
  proof: Proof | null
}

const nothing: Chosen = { pdf: null, proof: null }

export function CertificateCheckPage() {
  const [{ pdf, proof }, setChosen] = useState(nothing)
  /** Files are recognized in their own time: what was chosen meanwhile stays chosen. */
  const latest = useRef(nothing)
  const [round, setRound] = useState(0)
  const [unknown, setUnknown] = useState<readonly string[]>([])
  const checking = useMutation({
    mutationFn: ({ pdf, proof }: { pdf: File; proof: Proof }) =>
      verifyProof(proof.text, pdf, location.origin),
    gcTime: 0,
  })

  const choose = (changed: Partial<Chosen>) => {
    const { pdf, proof } = { ...latest.current, ...changed }
    latest.current = { pdf, proof }
    setChosen(latest.current)
    if (pdf !== null && proof !== null) checking.mutate({ pdf, proof })
    else checking.reset()
  }
  const take = async (files: readonly File[]) => {
    const recognized = await Promise.all(files.map(recognize))
    const chosen: Partial<Chosen> = {}
    for (const found of recognized) {
      if (found.kind === 'pdf') chosen.pdf = found.file
      if (found.kind === 'proof') chosen.proof = found
    }
    setUnknown(recognized.flatMap((found) => (found.kind === 'neither' ? [found.name] : [])))
    if (chosen.pdf !== undefined || chosen.proof !== undefined) choose(chosen)
  }
  const hasChosen = pdf !== null || proof !== null
  useFocusKept(hasChosen)
  const clear = () => {
    choose(nothing)
    setUnknown([])
    setRound(round + 1)
  }

  return (
    <Page
      title="Certificate check"
      lead="Whether a PDF is, byte for byte, the file that this service made and signed for. Everybody can ask."
      actions={
        hasChosen && (
          <Button variant="default" onClick={clear}>
            Check another one
          </Button>
        )
      }
    >
      {globalThis.isSecureContext ? (
        <>
          <ChosenFiles
            key={round}
            pdf={pdf}
            proof={proof}
            onFiles={(files) => void take(files)}
            onProof={(text) => choose({ proof: { name: null, text } })}
          />
          <Unrecognized names={unknown} />
          <div aria-live="polite" aria-busy={checking.isPending}>
            {checking.isPending && <Text>Checking …</Text>}
            {checking.data !== undefined && (
              <VerdictView verdict={checking.data} pdfName={pdf?.name ?? ''} />
            )}
            <ProblemAlert error={checking.error} />
          </div>
        </>
      ) : (
        <Alert color="orange" icon={<IconShieldOff aria-hidden />} title="Not over this connection">
          Browsers verify signatures on pages that come over HTTPS only. Open this page with
          https:// in its address, or use the SDK or its command line.
        </Alert>
      )}
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <IconLock size={18} aria-hidden style={{ flexShrink: 0, marginTop: 2 }} />
        <Text size="sm" c="dimmed">
          The check runs in this browser, with the keys that the service publishes. Neither the PDF
          nor the certificate leaves this machine.
        </Text>
      </Group>
      <Stack gap={0}>
        <CallSnippet call={{ endpoint: attestations.getKeySet }} label="Fetch the published keys" />
        <CallSnippet call={{ endpoint: attestations.getCertificate }} label="Fetch a certificate" />
      </Stack>
    </Page>
  )
}

function Unrecognized({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <Alert color="orange" role="alert" title="Neither a PDF nor a certificate">
      <List size="sm">
        {names.map((name) => (
          <List.Item key={name} style={{ overflowWrap: 'anywhere' }}>
            <bdi>{name}</bdi>
          </List.Item>
        ))}
      </List>
      <Text size="sm" mt={6}>
        A PDF begins with %PDF-. A certificate is one line of three parts with dots between them, an
        attestation is JSON; both are there to download with each normalized file.
      </Text>
    </Alert>
  )
}
