import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { limits } from '@pdfnorm/contracts/schema/limit'
import { InviteMemberRequest, type TeamMember } from '@pdfnorm/contracts/schema/member'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useMayChange } from '../organization/use-may-change.ts'
import { announce } from '../page/announce.ts'
import { When } from '../page/when.tsx'
import { ProblemAlert } from '../problem/problem-alert.tsx'
import { invite } from './invite.ts'
import { PersonRow } from './person-row.tsx'

export function InvitationList({
  invited,
  onRole,
  onWithdraw,
}: {
  invited: readonly TeamMember[]
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
    <Paper withBorder p={{ base: 'md', sm: 'lg' }}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4" id="invitations">
          Open invitations
        </Title>
        <Text size="sm" c="dimmed">
          {invited.length} of at most {limits.invitationsPerOrganization}
        </Text>
      </Group>
      <ProblemAlert error={again.error} />
      <Stack component="ul" aria-labelledby="invitations" gap={0} m={0} p={0}>
        {invited.map((member) => {
          const { id, email, role, createdAt } = member
          const ends = new Date(Date.parse(createdAt) + limits.inviteSeconds * 1000)
          const isOver = ends.getTime() < now
          return (
            <PersonRow
              key={id}
              email={email}
              badges={
                <>
                  <Badge variant="light" color={role === 'admin' ? 'blue' : 'gray'}>
                    {role}
                  </Badge>
                  {isOver && (
                    <Badge variant="light" color="yellow">
                      link expired
                    </Badge>
                  )}
                </>
              }
              facts={
                <>
                  Invited <When at={createdAt} /> · the link {isOver ? 'worked' : 'works'} until{' '}
                  <When at={ends.toISOString()} />
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
    </Paper>
  )
}
