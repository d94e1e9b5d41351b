import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import type { TeamMember } from '@pdfnorm/contracts/schema/member'
import { rpc } from '../session/rpc.ts'
import { useSession } from '../session/use-session.ts'

export const organizationQuery = queryOptions({
  queryKey: ['organization'],
  queryFn: ({ signal }) => rpc.organization.get.query(undefined, { signal }),
  staleTime: 60_000,
})

export const teamQuery = queryOptions({
  queryKey: ['team'],
  queryFn: ({ signal }) => rpc.team.list.query(undefined, { signal }),
  staleTime: 60_000,
})

/** The signed-in member as the team knows them; undefined for a moment while the page is being left. */
export function useOwnMember(): TeamMember | undefined {
  const session = useSession()
  const { data } = useSuspenseQuery(teamQuery)
  return data.find(({ id }) => id === session?.memberId)
}
