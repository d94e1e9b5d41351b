import { Button, Code, Group, Paper, Stack, Table, Text, Title } from '@mantine/core'
import { artifactFileName } from '@pdfnorm/contracts/schema/artifact'
import type { NormalizeResponse } from '@pdfnorm/contracts/schema/normalize-response'
import { IconCertificate, IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { CopyButton } from '../page/copy-button.tsx'
import { sizeOf } from '../page/size-of.ts'
import { ProblemAlert } from '../problem/problem-alert.tsx'
import { queryClient } from '../session/query-client.ts'
import { fetchArtifact } from './fetch-artifact.ts'
import { certificateQuery } from './queries.ts'
import { saveAs } from './save-as.ts'

/** What went in and what came out, to be taken away. */
export function Output({ response }: { response: NormalizeResponse }) {
  const { original, normalized } = response
  return (
    <Paper withBorder p="md">
      <Stack gap="md">
        <Title order={2} size="h5">
          {normalized === null ? 'The original' : 'The normalized file'}
        </Title>
        <Table layout="fixed" verticalSpacing={6} withRowBorders={false}>
          <Table.Tbody>
            {normalized !== null && (
              <>
                <Fact name="SHA-256" hash={normalized.sha256} />
                <Fact
                  name="Size"
                  text={`${sizeOf(normalized.sizeBytes)}, PDF ${normalized.pdfVersion}${normalized.linearized ? ', linearized' : ''}`}
                />
                {normalized.contentHash !== null && (
                  <Fact name="Text's SHA-256" hash={normalized.contentHash} />
                )}
              </>
            )}
            <Fact name="Original" hash={original.sha256} />
            <Fact name="Original's size" text={sizeOf(original.sizeBytes)} />
          </Table.Tbody>
        </Table>
        {normalized !== null && <Downloads hash={normalized.sha256} />}
      </Stack>
    </Paper>
  )
}

function Downloads({ hash }: { hash: string }) {
  const file = useMutation({
    mutationFn: async () => saveAs(await fetchArtifact(hash), artifactFileName),
  })
  const certificate = useMutation({
    mutationFn: async () => {
      const { certificate } = await queryClient.ensureQueryData(certificateQuery(hash))
      saveAs(new Blob([certificate], { type: 'application/jose+json' }), 'certificate.jws')
    },
  })
  return (
    <>
      <Group gap="sm">
        <Button
          leftSection={<IconDownload size={16} aria-hidden />}
          loading={file.isPending}
          onClick={() => file.mutate()}
        >
          Download the file
        </Button>
        <Button
          variant="default"
          leftSection={<IconCertificate size={16} aria-hidden />}
          loading={certificate.isPending}
          onClick={() => certificate.mutate()}
        >
          Download its certificate
        </Button>
      </Group>
      <ProblemAlert error={file.error ?? certificate.error} />
    </>
  )
}

function Fact({ name, text, hash }: { name: string; text?: string; hash?: string }) {
  return (
    <Table.Tr>
      <Table.Th w={130} scope="row" style={{ verticalAlign: 'top' }}>
        <Text size="sm" c="dimmed">
          {name}
        </Text>
      </Table.Th>
      <Table.Td>
        {hash === undefined ? (
          <Text size="sm">{text}</Text>
        ) : (
          <Group gap={4} wrap="nowrap" align="flex-start">
            <Code style={{ overflowWrap: 'anywhere' }}>{hash}</Code>
            <CopyButton text={hash} what={name} />
          </Group>
        )}
      </Table.Td>
    </Table.Tr>
  )
}
