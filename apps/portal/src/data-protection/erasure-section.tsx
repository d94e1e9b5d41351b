import { Button, Group, List, Loader, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { dataProtection } from '@pdfnorm/contracts/endpoint/data-protection'
import type { DataRequests } from '@pdfnorm/contracts/schema/data-requests'
import { IconEraser } from '@tabler/icons-react'
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { CallSnippet } from '../calls/call-snippet.tsx'
import { announce } from '../page/announce.ts'
import { ConfirmDialog } from '../page/confirm-dialog.tsx'
import { When } from '../page/when.tsx'
import { rpc } from '../session/rpc.ts'
import { organizationQuery } from '../shell/queries.ts'
import { noteRequest } from './queries.ts'
import { Section } from '../page/section.tsx'

/** Has all documents erased; the records stay. */
export function ErasureSection({ latest }: { latest: DataRequests['erasure'] }) {
  const [isAsking, { open, close }] = useDisclosure(false)
  const { data: organization } = useSuspenseQuery(organizationQuery)
  const queryClient = useQueryClient()
  const erasing = useMutation({
    mutationFn: () => rpc.dataProtection.erase.mutate(),
    onSuccess: async ({ message }) => {
      close()
      void announce(message)
      await noteRequest({ erasure: { requestedAt: new Date().toISOString(), completedAt: null } })
      // What pages have read of documents holds no longer.
      await queryClient.invalidateQueries({ refetchType: 'none' })
    },
  })

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
      <Group>
        <Button
          color="red"
          variant="light"
          onClick={open}
          leftSection={<IconEraser size={16} aria-hidden />}
        >
          Erase all documents
        </Button>
      </Group>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => {
          close()
          erasing.reset()
        }}
        onConfirm={() => erasing.mutate()}
        title="Erase all documents?"
        action="Erase them"
        typed={organization.slug}
        pending={erasing.isPending}
        error={erasing.error}
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
      </ConfirmDialog>
      <CallSnippet call={{ endpoint: dataProtection.eraseContent }} />
    </Section>
  )
}
