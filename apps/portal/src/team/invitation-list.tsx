import { Badge, Button, Stack, Text } from '@mantine/core'
import { limits } from '@pdfnorm/contracts/schema/limit'
import type { ListedMember } from '@pdfnorm/contracts/schema/listed-member'
import { InviteMemberRequest, type TeamMember } from '@pdfnorm/contracts/schema/member'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useMayChange } from '../organization/use-may-change.ts'
import { announce } from '../page/announce.ts'
import { ListRow } from '../page/list-row.tsx'
import { Section } from '../page/section.tsx'
import { When } from '../page/when.tsx'
import { ProblemAlert } from '../problem/problem-alert.tsx'
import { invite } from './invite.ts'

export function InvitationList({
  invited,
  onRole,
  onWithdraw,
}: {
  invited: readonly ListedMember[]
  onRole: (member: TeamMember) => void
  onWithdraw: (member: TeamMember) => void
}) {
  const may = useMayChange()
  const [now] = useState(Date.now)
  const again = useMutation({
    mutationFn: async (member: TeamMember) => invite(InviteMemberRequest.parse(member)),
    onSuccess: ({ email }) => void announce(`Another link is on its way to ${email}.`),
  })

  return (
    <Section
      title="Open invitations"
      aside={
        <Text size="sm" c="dimmed">
          {invited.length} of at most {limits.invitationsPerOrganization}
        </Text>
      }
    >
      <ProblemAlert error={again.error} />
      <Stack component="ul" aria-label="Open invitations" gap={0} m={0} p={0}>
        {invited.map((member) => {
          const { id, email, role, createdAt, invitedUntil } = member
          const isOver = invitedUntil !== null && Date.parse(invitedUntil) < now
          return (
            <ListRow
              key={id}
              name={email}
              badges={
                <>
                  <Badge variant="light" tt="none" color={role === 'admin' ? 'blue' : 'gray'}>
                    {role}
                  </Badge>
                  {isOver && (
                    <Badge variant="light" tt="none" color="yellow">
                      link expired
                    </Badge>
                  )}
                </>
              }
              facts={
                <>
                  Invited <When at={createdAt} />
                  {invitedUntil !== null && (
                    <>
                      {' '}
                      · the link {isOver ? 'worked' : 'works'} until <When at={invitedUntil} />
                    </>
                  )}
                </>
              }
              actions={
                <>
                  {may('inviteMembers') && (
                    <Button
                      size="xs"
                      variant="default"
                      aria-label={`Send again to ${email}`}
                      loading={again.isPending && again.variables.id === id}
                      onClick={() => again.mutate(member)}
                    >
                      Send again
                    </Button>
                  )}
                  {may('changeRoles') && (
                    <Button
                      size="xs"
                      variant="default"
                      aria-label={`Change role of ${email}`}
                      onClick={() => onRole(member)}
                    >
                      Change role
                    </Button>
                  )}
                  {may('removeMembers') && (
                    <Button
                      size="xs"
                      variant="default"
                      aria-label={`Withdraw the invitation of ${email}`}
                      onClick={() => onWithdraw(member)}
                    >
                      Withdraw
                    </Button>
                  )}
                </>
              }
            />
          )
        })}
      </Stack>
    </Section>
  )
}
