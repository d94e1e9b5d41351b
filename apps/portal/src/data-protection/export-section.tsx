import { Button, Group, Loader, Text } from '@mantine/core'
import { dataProtection } from '@pdfnorm/contracts/endpoint/data-protection'
import type { DataRequests } from '@pdfnorm/contracts/schema/data-requests'
import { limits } from '@pdfnorm/contracts/schema/limit'
import { IconDownload, IconPackageExport } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { CallSnippet } from '../calls/call-snippet.tsx'
import { When } from '../page/when.tsx'
import { ProblemAlert } from '../problem/problem-alert.tsx'
import { rpc } from '../session/rpc.ts'
import { noteRequest } from './queries.ts'
import { Section } from '../page/section.tsx'
import { useNow } from './use-now.ts'

/** Asks for an export, waits for it, downloads it. */
export function ExportSection({ latest }: { latest: DataRequests['export'] }) {
  const now = useNow()
  const asking = useMutation({
    mutationFn: () => rpc.dataProtection.requestExport.mutate(),
    onSuccess: (requested) => noteRequest({ export: { ...requested, expiresAt: null } }),
  })
  const downloading = useMutation({
    mutationFn: (id: string) => rpc.dataProtection.exportUrl.query({ id }),
    // It comes as an attachment, so the page stays.
    onSuccess: ({ url }) => location.assign(url),
  })
  const isPending = latest?.status === 'pending'
  const expiresAt = latest?.expiresAt ?? null
  const isThere = expiresAt !== null && Date.parse(expiresAt) > now
  const path = { id: latest?.exportId ?? 'EXPORT_ID' }

  return (
    <Section title="Export">
      <Text size="sm">
        One ZIP file with everything that the organization has: a JSON file for each kind of record,
        the originals and the normalized files, and a list of their hashes. It can be downloaded for{' '}
        {limits.exportRetentionDays} days.
      </Text>
      <Group gap="sm" role="status" mih={36}>
        {isPending && <Loader size="xs" aria-hidden />}
        <Text size="sm" fw={600}>
          <Standing latest={latest} isThere={isThere} />
        </Text>
      </Group>
      <ProblemAlert error={asking.error ?? downloading.error} />
      <Group gap="sm">
        {isThere && latest !== null && (
          <Button
            onClick={() => downloading.mutate(latest.exportId)}
            loading={downloading.isPending}
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            Download the export
          </Button>
        )}
        {!isPending && (
          <Button
            variant={isThere ? 'default' : 'filled'}
            onClick={() => asking.mutate()}
            loading={asking.isPending}
            leftSection={<IconPackageExport size={16} aria-hidden />}
          >
            {latest === null ? 'Export everything' : 'Export again'}
          </Button>
        )}
      </Group>
      <div>
        <CallSnippet call={{ endpoint: dataProtection.requestDataExport }} />
        {latest !== null && <CallSnippet call={{ endpoint: dataProtection.getDataExport, path }} />}
        {isThere && <CallSnippet call={{ endpoint: dataProtection.downloadDataExport, path }} />}
      </div>
    </Section>
  )
}

function Standing({
  latest,
  isThere,
}: {
  latest: DataRequests['export']
  isThere: boolean
}): ReactNode {
  if (latest === null) return 'Nobody has asked for one yet.'
  if (latest.status === 'pending') {
    return (
      <>
        Being put together since <When at={latest.requestedAt} />. This page may be left: a mail
        goes to whoever asked when it is there.
      </>
    )
  }
  const { expiresAt } = latest
  if (expiresAt === null) return null
  return isThere ? (
    <>
      The export of <When at={latest.requestedAt} /> is there until <When at={expiresAt} />.
    </>
  ) : (
    <>
      The export of <When at={latest.requestedAt} /> could be downloaded until{' '}
      <When at={expiresAt} />.
    </>
  )
}
