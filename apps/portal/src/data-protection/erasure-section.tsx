import { Group, List, Loader, Stack, Text } from '@mantine/core'
import { dataProtection } from '@pdfnorm/contracts/endpoint/data-protection'
import type { DataRequests } from '@pdfnorm/contracts/schema/data-requests'
import { IconEraser } from '@tabler/icons-react'
import { CallSnippet } from '../calls/call-snippet.tsx'
import { announce } from '../page/announce.ts'
import { GraveDeed } from '../page/grave-deed.tsx'
import { Section } from '../page/section.tsx'
import { When } from '../page/when.tsx'
import { queryClient } from '../session/query-client.ts'
import { rpc } from '../session/rpc.ts'
import { noteRequest } from './queries.ts'

/** Has all documents erased; the records stay. */
export function ErasureSection({ latest }: { latest: DataRequests['erasure'] }) {
  return (
    <Section title="Erase all documents">
      <Text size="sm">
        Originals, normalized files, reports and exports go at once. The records of the submissions
        stay, with hashes and status; so do members, keys and settings.
      </Text>
      {latest !== null && (
        <Group gap="sm" role="status">
          {latest.completedAt === null && <Loader size="xs" aria-hidden />}
          <Text size="sm" fw={600}>
            {latest.completedAt === null ? (
              <>
                Being erased since <When at={latest.requestedAt} />. Documents in process follow
                when they have ended.
              </>
            ) : (
              <>
                What came until <When at={latest.requestedAt} /> is erased.
              </>
            )}
          </Text>
        </Group>
      )}
      <GraveDeed
        label="Erase all documents"
        Icon={IconEraser}
        title="Erase all documents?"
        action="Erase them"
        onConfirm={erase}
      >
        <Stack gap="xs">
          <Text size="sm">This cannot be taken back. At once there will be</Text>
          <List size="sm">
            <List.Item>no original and no normalized file to download,</List.Item>
            <List.Item>no report to read,</List.Item>
            <List.Item>no export that was made until now.</List.Item>
          </List>
          <Text size="sm">Whoever needs any of it downloads an export first.</Text>
        </Stack>
      </GraveDeed>
      <CallSnippet call={{ endpoint: dataProtection.eraseContent }} />
    </Section>
  )
}

async function erase(): Promise<void> {
  const { message } = await rpc.dataProtection.erase.mutate()
  void announce(message)
  await noteRequest({ erasure: { requestedAt: new Date().toISOString(), completedAt: null } })
  // What pages have read of documents holds no longer.
  await queryClient.invalidateQueries({ refetchType: 'none' })
}
