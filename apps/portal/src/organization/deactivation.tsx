import { Text } from '@mantine/core'
import { organization as endpoints } from '@pdfnorm/contracts/endpoint/organization'
import { IconPower } from '@tabler/icons-react'
import { CallSnippet } from '../calls/call-snippet.tsx'
import { announce } from '../page/announce.ts'
import { GraveDeed } from '../page/grave-deed.tsx'
import { PageLink } from '../page/page-link.tsx'
import { Section } from '../page/section.tsx'
import { queryClient } from '../session/query-client.ts'
import { rpc } from '../session/rpc.ts'
import { organizationQuery } from '../shell/queries.ts'
import { DeactivationEffects } from './deactivation-effects.tsx'

/** The end of an organization's work, asked for twice. */
export function Deactivation() {
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
      <GraveDeed
        label="Deactivate the organization"
        Icon={IconPower}
        title="Deactivate the organization?"
        action="Deactivate for good"
        onConfirm={deactivate}
      >
        <Text fw={600} size="sm">
          Nobody can undo this.
        </Text>
        <DeactivationEffects />
      </GraveDeed>
      <CallSnippet call={{ endpoint: endpoints.deactivateOrganization }} />
    </Section>
  )
}

async function deactivate(): Promise<void> {
  const deactivated = await rpc.organization.deactivate.mutate()
  queryClient.setQueryData(organizationQuery.queryKey, deactivated)
  void announce('The organization is deactivated.')
  // Its keys are revoked, and its subscription ends.
  void queryClient.invalidateQueries()
}
