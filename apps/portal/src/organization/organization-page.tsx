import { organization as endpoints } from '@pdfnorm/contracts/endpoint/organization'
import { useSuspenseQuery } from '@tanstack/react-query'
import { CallSnippet } from '../calls/call-snippet.tsx'
import { Page } from '../page/page.tsx'
import { WhomToAsk } from '../page/whom-to-ask.tsx'
import { useMay } from '../session/use-session.ts'
import { organizationQuery } from '../shell/queries.ts'
import { Deactivated } from './deactivated.tsx'
import { Deactivation } from './deactivation.tsx'
import { NameForm } from './name-form.tsx'
import { OrganizationFacts } from './organization-facts.tsx'
import { SettingsForm } from './settings-form.tsx'
import { useMayChange } from './use-may-change.ts'

export function OrganizationPage() {
  const { data: organization } = useSuspenseQuery(organizationQuery)
  const mayEver = useMay()
  const may = useMayChange()
  const mayChange = may('changeOrganization')
  return (
    <Page
      title="Settings"
      lead={
        mayEver('changeOrganization')
          ? 'What the organization is called, whom to write to, and where its documents are kept.'
          : 'How the organization is set up.'
      }
    >
      {!organization.isActive && <Deactivated />}
      {mayChange && <NameForm organization={organization} />}
      {mayChange && <SettingsForm organization={organization} />}
      <OrganizationFacts organization={organization} complete={!mayChange} />
      {!mayEver('changeOrganization') && (
        <WhomToAsk deed="changeOrganization">An admin or the owner changes the settings.</WhomToAsk>
      )}
      {may('deactivateOrganization') && <Deactivation />}
      {!mayChange && <CallSnippet call={{ endpoint: endpoints.getOrganization }} />}
    </Page>
  )
}
