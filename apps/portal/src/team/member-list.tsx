import { Badge, Button, Stack, Text, TextInput } from '@mantine/core'
import type { TeamMember } from '@pdfnorm/contracts/schema/member'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useMayChange } from '../organization/use-may-change.ts'
import { ListRow } from '../page/list-row.tsx'
import { Section } from '../page/section.tsx'
import { When } from '../page/when.tsx'
import { useSession } from '../session/use-session.ts'

/** With more than so many, one looks for somebody rather than reading. */
const searchedFrom = 10

export function MemberList({
  members,
  onRole,
  onRemove,
}: {
  members: readonly TeamMember[]
  onRole: (member: TeamMember) => void
  onRemove: (member: TeamMember) => void
}) {
  const may = useMayChange()
  const ownId = useSession()?.memberId
  const [part, setPart] = useState('')
  const wanted = part.trim().toLowerCase()
  const shown = members.filter(({ email }) => email.includes(wanted))
  return (
    <Section
      title="Members"
      aside={
        <Text size="sm" c="dimmed" role="status">
          {wanted === '' ? members.length : `${shown.length} of ${members.length}`}
        </Text>
      }
    >
      {members.length > searchedFrom && (
        <TextInput
          aria-label="Find a member"
          placeholder="Find by a part of the address"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={part}
          onChange={(event) => setPart(event.currentTarget.value)}
        />
      )}
      {shown.length === 0 ? (
        <Text size="sm" c="dimmed">
          No member has an address with this in it.
        </Text>
      ) : (
        <Stack component="ul" aria-label="Members" gap={0} m={0} p={0}>
          {shown.map((member) => (
            <MemberRow
              key={member.id}
              member={member}
              isOwn={member.id === ownId}
              may={may}
              onRole={onRole}
              onRemove={onRemove}
            />
          ))}
        </Stack>
      )}
    </Section>
  )
}

function MemberRow({
  member,
  isOwn,
  may,
  onRole,
  onRemove,
}: {
  member: TeamMember
  isOwn: boolean
  may: ReturnType<typeof useMayChange>
  onRole: (member: TeamMember) => void
  onRemove: (member: TeamMember) => void
}) {
  const isOwner = member.role === 'owner'
  return (
    <ListRow
      name={member.email}
      badges={
        <>
          <Badge variant={isOwner ? 'filled' : 'light'} tt="none" color={roleColors[member.role]}>
            {member.role}
          </Badge>
          {isOwn && (
            <Badge variant="outline" tt="none" color="gray" c="dimmed">
              you
            </Badge>
          )}
          {!member.emailVerified && (
            <Badge variant="light" tt="none" color="yellow">
              address not verified
            </Badge>
          )}
        </>
      }
      facts={
        <>
          Since <When at={member.createdAt} withTime={false} /> ·{' '}
          {member.lastLoginAt === null ? (
            'has never signed in'
          ) : (
            <>
              last signed in <When at={member.lastLoginAt} />
            </>
          )}
        </>
      }
      actions={
        <>
          {may('changeRoles') && !isOwn && !isOwner && (
            <Button
              size="xs"
              variant="default"
              aria-label={`Change role of ${member.email}`}
              onClick={() => onRole(member)}
            >
              Change role
            </Button>
          )}
          {may('removeMembers') && !isOwner && (
            <Button
              size="xs"
              variant="default"
              aria-label={isOwn ? undefined : `Remove ${member.email}`}
              onClick={() => onRemove(member)}
            >
              {isOwn ? 'Leave the organization' : 'Remove'}
            </Button>
          )}
        </>
      }
    />
  )
}

const roleColors = { member: 'gray', admin: 'blue', owner: 'blue' } as const
