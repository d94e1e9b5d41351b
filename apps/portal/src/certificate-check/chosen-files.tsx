import { Button, FileButton, SimpleGrid, Text, Textarea } from '@mantine/core'
import { IconCertificate, IconFileTypePdf, type TablerIcon } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { DropFrame } from '../page/drop-frame.tsx'
import { sizeOf } from '../page/size-of.ts'
import { isProof, type Proof } from './dropped-file.ts'

/** Takes the PDF and its certificate, one by one or both at once, in either place: their content tells them apart. */
export function ChosenFiles({
  pdf,
  proof,
  onFiles,
  onProof,
}: {
  pdf: File | null
  proof: Proof | null
  onFiles: (files: readonly File[]) => void
  onProof: (text: string) => void
}) {
  const [pasted, setPasted] = useState('')
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Place
        Icon={IconFileTypePdf}
        title="The PDF"
        chosen={
          pdf && (
            <>
              <bdi>{pdf.name}</bdi> ({sizeOf(pdf.size)})
            </>
          )
        }
        action="Choose the PDF"
        accept="application/pdf,.pdf"
        onFiles={onFiles}
      >
        <Text size="sm" c="dimmed">
          Both files can be dropped here at once.
        </Text>
      </Place>
      <Place
        Icon={IconCertificate}
        title="Its certificate"
        chosen={proof && <bdi>{proof.name ?? 'Pasted'}</bdi>}
        action="Choose the certificate"
        accept=".jws,.jwt,.jose,.json,.jsonld,.txt,application/jose+json,application/ld+json"
        onFiles={onFiles}
      >
        <Textarea
          aria-label="Or paste the certificate"
          placeholder="Or paste it: eyJhbGciOiJFUzI1NiIs…"
          autosize={false}
          rows={2}
          w="100%"
          value={pasted}
          spellCheck={false}
          error={
            pasted.trim() !== '' &&
            !isProof(pasted) &&
            'A certificate is one line of three parts with dots between them'
          }
          onChange={(event) => {
            const text = event.currentTarget.value
            setPasted(text)
            if (isProof(text)) onProof(text)
          }}
        />
      </Place>
    </SimpleGrid>
  )
}

function Place({
  Icon,
  title,
  chosen,
  action,
  accept,
  onFiles,
  children,
}: {
  Icon: TablerIcon
  title: string
  chosen: ReactNode
  action: string
  accept: string
  onFiles: (files: readonly File[]) => void
  children: ReactNode
}) {
  return (
    <DropFrame onFiles={onFiles} p="lg">
      <Icon size={36} stroke={1.4} aria-hidden />
      <Text fw={600}>{title}</Text>
      {chosen !== null && (
        <Text size="sm" role="status" style={{ overflowWrap: 'anywhere' }}>
          {chosen}
        </Text>
      )}
      <FileButton onChange={onFiles} accept={accept} multiple>
        {(props) => (
          <Button variant={chosen === null ? 'filled' : 'default'} {...props}>
            {action}
          </Button>
        )}
      </FileButton>
      {children}
    </DropFrame>
  )
}
