import { Text } from '@mantine/core'
import { team as endpoints } from '@pdfnorm/contracts/endpoint/team'
import type { TeamMember } from '@pdfnorm/contracts/schema/member'
import { useMutation } from '@tanstack/react-query'
import { CallSnippet } from '../calls/call-snippet.tsx'
import { announce } from '../page/announce.ts'
import { ConfirmDialog } from '../page/confirm-dialog.tsx'
import { queryClient } from '../session/query-client.ts'
import { rpc } from '../session/rpc.ts'
import { signOut } from '../session/session.ts'
import { useSession } from '../session/use-session.ts'
import { teamQuery } from '../shell/queries.ts'
import type { DialogAbout } from './use-dialog-about.ts'

/** Asks before somebody is removed, an invitation is withdrawn, or the signed-in member leaves. */
export function RemovalDialog({ subject, opened, close }: DialogAbout) {
  const session = useSession()
  const removal = useMutation({
    mutationFn: (member: TeamMember) => rpc.team.remove.mutate({ userId: member.id }),
    onSuccess: async ({ id }, { email, isActive }) => {
      if (id === session?.memberId) {
        await signOut()
        return
      }
      queryClient.setQueryData(teamQuery.queryKey, (team) =>
        team?.filter((known) => known.id !== id),
      )
      void announce(isActive ? `${email} is removed.` : `The invitation of ${email} is withdrawn.`)
      close()
    },
  })
  if (subject === null) return null
  const { title, action, effect } = wordsOf(subject, subject.id === session?.memberId)

  return (
    <ConfirmDialog
      opened={opened}
      onClose={() => {
        close()
        removal.reset()
      }}
      onConfirm={() => removal.mutate(subject)}
      pending={removal.isPending}
      error={removal.error}
      title={title}
      action={action}
    >
      <Text size="sm" fw={600} mb="xs" style={{ overflowWrap: 'anywhere' }}>
        {subject.email}
      </Text>
      <Text size="sm" mb="xs">
        {effect}
      </Text>
      <CallSnippet call={{ endpoint: endpoints.removeMember, path: { userId: subject.id } }} />
    </ConfirmDialog>
  )
}

function wordsOf(member: TeamMember, isOwn: boolean) {
  if (isOwn) {
    return {
      title: 'Leave the organization?',
      action: 'Leave the organization',
      effect:
        'You are signed out at once and cannot sign in again, unless somebody here invites you. What you set up stays.',
    }
  }
  if (!member.isActive) {
    return {
      title: 'Withdraw the invitation?',
      action: 'Withdraw the invitation',
      effect: 'The link in the mail ends at once. They can be invited again.',
    }
  }
  return {
    title: 'Remove this member?',
    action: 'Remove',
    effect:
      'Their sessions end at once, and they cannot sign in any more. What they set up stays: keys and webhooks belong to the organization.',
  }
}
