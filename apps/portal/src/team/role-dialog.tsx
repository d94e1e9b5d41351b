import { Alert, Button, Group, Radio, Stack, Text } from '@mantine/core'
import { team as endpoints } from '@pdfnorm/contracts/endpoint/team'
import { MemberRole, memberRoles, type TeamMember } from '@pdfnorm/contracts/schema/member'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { CallSnippet } from '../calls/call-snippet.tsx'
import { announce } from '../page/announce.ts'
import { Dialog } from '../page/dialog.tsx'
import { ProblemAlert } from '../problem/problem-alert.tsx'
import { queryClient } from '../session/query-client.ts'
import { rpc } from '../session/rpc.ts'
import { useMay } from '../session/use-session.ts'
import { teamQuery } from '../shell/queries.ts'
import { roleWords } from './role-words.ts'
import type { DialogAbout } from './use-dialog-about.ts'

/** Gives one of the team another role; the owner can give the ownership away in it. */
export function RoleDialog({ subject, opened, close }: DialogAbout) {
  return (
    <Dialog opened={opened} onClose={close} title="Change the role">
      {subject !== null && <RoleForm member={subject} onDone={close} />}
    </Dialog>
  )
}

function RoleForm({ member, onDone }: { member: TeamMember; onDone: () => void }) {
  const may = useMay()
  const [role, setRole] = useState<MemberRole>(member.role)
  // Whoever is invited has to accept before they can own anything.
  const mayOwn = member.isActive && may('transferOwnership')
  const change = useMutation({
    mutationFn: () => rpc.team.changeRole.mutate({ userId: member.id, role }),
    onSuccess: async (changed) => {
      queryClient.setQueryData(teamQuery.queryKey, (team) =>
        team?.map((known) => (known.id === changed.id ? { ...known, ...changed } : known)),
      )
      if (changed.role === 'owner') {
        // The former owner is an admin from here on.
        await queryClient.invalidateQueries({ queryKey: teamQuery.queryKey })
      }
      void announce(`${changed.email} is ${changed.role} from now on.`)
      onDone()
    },
  })

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        change.mutate()
      }}
    >
      <Stack>
        <Radio.Group
          label={
            <Text span size="sm" style={{ overflowWrap: 'anywhere' }}>
              Role of {member.email}
            </Text>
          }
          value={role}
          onChange={(value) => setRole(MemberRole.parse(value))}
        >
          <Stack gap="sm" mt="xs">
            {memberRoles
              .filter((choice) => choice !== 'owner' || mayOwn)
              .map((choice) => (
                <Radio
                  key={choice}
                  value={choice}
                  label={choice}
                  description={roleWords[choice]}
                  data-autofocus={choice === member.role || undefined}
                />
              ))}
          </Stack>
        </Radio.Group>
        {role === 'owner' && (
          <Alert
            color="yellow"
            role="status"
            icon={<IconAlertTriangle aria-hidden />}
            title="You give the ownership away"
          >
            <Text span size="sm" style={{ overflowWrap: 'anywhere' }}>
              You become an admin. Only {member.email} can give it back.
            </Text>
          </Alert>
        )}
        <ProblemAlert error={change.error} />
        <CallSnippet
          call={{
            endpoint: endpoints.changeMemberRole,
            path: { userId: member.id },
            body: { role },
          }}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            Cancel
          </Button>
          <Button
            type="submit"
            color={role === 'owner' ? 'red' : 'blue'}
            loading={change.isPending}
            disabled={role === member.role}
          >
            {role === 'owner' ? 'Give the ownership away' : 'Change the role'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
