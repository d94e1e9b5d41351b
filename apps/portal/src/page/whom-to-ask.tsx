import { Text } from '@mantine/core'
import { isAtLeast, leastRole, memberRoles } from '@pdfnorm/contracts/schema/member'
import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { teamQuery } from '../shell/queries.ts'

/** More addresses than that are no help. */
const mostNamed = 3

/** Who of the team may do what the reader may not. @param children says so, as “Only the owner changes the plan.” */
export function WhomToAsk({
  deed,
  children,
}: {
  deed: keyof typeof leastRole
  children: ReactNode
}) {
  const { data: team } = useSuspenseQuery(teamQuery)
  const asked = team
    .filter(({ isActive, role }) => isActive && isAtLeast(role, leastRole[deed]))
    .toSorted((one, other) => memberRoles.indexOf(other.role) - memberRoles.indexOf(one.role))
    .slice(0, mostNamed)
  return (
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {children} {asked.length > 0 && `Ask ${words.format(asked.map(({ email }) => email))}.`}
    </Text>
  )
}

const words = new Intl.ListFormat('en', { type: 'disjunction' })
