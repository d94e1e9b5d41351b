import { Button, Code, Group, Paper, Stack, Text, Title } from '@mantine/core'
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

/** What went in and what came out, to be taken away. @param isOver the file is not kept any more */
export function Output({
  response,
  isOver = false,
}: {
  response: NormalizeResponse
  isOver?: boolean
}) {
  const { original, normalized } = response
  return (
    <Paper withBorder p="md">
      <Stack gap="md">
        <Title order={2} size="h5">
          {normalized === null ? 'The original' : 'The normalized file'}
        </Title>
        {normalized !== null && (
          <Text size="sm">
            {sizeOf(normalized.sizeBytes)}, PDF {normalized.pdfVersion}
            {normalized.linearized && ', linearized'}; made of {sizeOf(original.sizeBytes)}
          </Text>
        )}
        {normalized === null && <Text size="sm">{sizeOf(original.sizeBytes)}</Text>}
        <Stack gap="xs" component="dl" m={0}>
          {normalized !== null && <Hash name="SHA-256" hash={normalized.sha256} />}
          {normalized?.contentHash && (
            <Hash name="SHA-256 of its text" hash={normalized.contentHash} />
          )}
          <Hash
            name={normalized === null ? 'SHA-256' : 'SHA-256 of the original'}
            hash={original.sha256}
          />
        </Stack>
        {normalized !== null && !isOver && <Downloads hash={normalized.sha256} />}
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

function Hash({ name, hash }: { name: string; hash: string }) {
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Group component="dd" m={0} gap="xs" wrap="nowrap" align="flex-start">
        <Code style={{ flex: 1, overflowWrap: 'anywhere' }}>{hash}</Code>
        <CopyButton text={hash} what={`the ${name}`} />
      </Group>
    </div>
  )
}
