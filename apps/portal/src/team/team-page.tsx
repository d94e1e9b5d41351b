import { Text } from '@mantine/core'
import { team as endpoints } from '@pdfnorm/contracts/endpoint/team'
import { useSuspenseQuery } from '@tanstack/react-query'
import { CallSnippet } from '../calls/call-snippet.tsx'
import { useMayChange } from '../organization/use-may-change.ts'
import { Page } from '../page/page.tsx'
import { WhomToAsk } from '../page/whom-to-ask.tsx'
import { useMay } from '../session/use-session.ts'
import { teamQuery } from '../shell/queries.ts'
import { InvitationList } from './invitation-list.tsx'
import { InviteForm } from './invite-form.tsx'
import { MemberList } from './member-list.tsx'
import { RemovalDialog } from './removal-dialog.tsx'
import { RoleDialog } from './role-dialog.tsx'
import { RolesExplained } from './roles-explained.tsx'
import { useDialogAbout } from './use-dialog-about.ts'

export function TeamPage() {
  const { data: team } = useSuspenseQuery(teamQuery)
  const mayEver = useMay()
  const may = useMayChange()
  const role = useDialogAbout()
  const removal = useDialogAbout()
  // Who is invited is on the team's list, too, and not active before they accept.
  const members = team.filter(({ isActive }) => isActive)
  const invited = team.filter(({ isActive }) => !isActive)

  return (
    <Page
      title="Team"
      lead="Who may sign in to this organization, and what each of them may do here."
    >
      {may('inviteMembers') && <InviteForm open={invited.length} isAlone={team.length === 1} />}
      {invited.length > 0 && (
        <InvitationList invited={invited} onRole={role.open} onWithdraw={removal.open} />
      )}
      <MemberList members={members} onRole={role.open} onRemove={removal.open} />
      {!mayEver('inviteMembers') && (
        <WhomToAsk deed="inviteMembers">
          An admin or the owner invites somebody, and removes who wants to leave.
        </WhomToAsk>
      )}
      {mayEver('transferOwnership') && members.length > 1 && (
        <Text size="sm" c="dimmed">
          You own the organization. To leave it, give the ownership to another member first.
        </Text>
      )}
      <RolesExplained />
      <CallSnippet call={{ endpoint: endpoints.listMembers }} />
      <RoleDialog {...role} />
      <RemovalDialog {...removal} />
    </Page>
  )
}
