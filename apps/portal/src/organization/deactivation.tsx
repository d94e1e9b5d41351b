import { Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { organization as endpoints } from '@pdfnorm/contracts/endpoint/organization'
import type { OrganizationResponse } from '@pdfnorm/contracts/schema/organization'
import { IconPower } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { CallSnippet } from '../calls/call-snippet.tsx'
import { announce } from '../page/announce.ts'
import { ConfirmDialog } from '../page/confirm-dialog.tsx'
import { PageLink } from '../page/page-link.tsx'
import { Section } from '../page/section.tsx'
import { queryClient } from '../session/query-client.ts'
import { rpc } from '../session/rpc.ts'
import { organizationQuery } from '../shell/queries.ts'
import { DeactivationEffects } from './deactivation-effects.tsx'

/** The end of an organization's work, asked for twice. */
export function Deactivation({ organization }: { organization: OrganizationResponse }) {
  const [opened, { open, close }] = useDisclosure(false)
  const deactivate = useMutation({
    mutationFn: () => rpc.organization.deactivate.mutate(),
    onSuccess: async (deactivated) => {
      queryClient.setQueryData(organizationQuery.queryKey, deactivated)
      await announce('The organization is deactivated.')
      // Its keys are revoked, and its subscription ends.
      void queryClient.invalidateQueries()
    },
  })
  return (
    <Section title="Deactivate the organization">
      <Text size="sm">
        Ends the work of the organization for good. Nothing is deleted by it; to have everything
        deleted, see{' '}
        <PageLink to="/data-protection" inherit>
          Data protection
        </PageLink>
        .
      </Text>
      <Group>
        <Button
          color="red"
          variant="light"
          leftSection={<IconPower size={16} aria-hidden />}
          onClick={open}
        >
          Deactivate the organization
        </Button>
      </Group>
      <CallSnippet call={{ endpoint: endpoints.deactivateOrganization }} />
      <ConfirmDialog
        opened={opened}
        onClose={() => {
          close()
          deactivate.reset()
        }}
        onConfirm={() => deactivate.mutate()}
        title="Deactivate the organization?"
        action="Deactivate for good"
        typed={organization.slug}
        pending={deactivate.isPending}
        error={deactivate.error}
      >
        <Text fw={600} size="sm">
          Nobody can undo this.
        </Text>
        <DeactivationEffects />
      </ConfirmDialog>
    </Section>
  )
}
