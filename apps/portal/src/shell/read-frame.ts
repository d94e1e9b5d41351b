import { isAtLeast, leastRole } from '@pdfnorm/contracts/schema/member'
import { dataRequestsQuery } from '../data-protection/queries.ts'
import { queryClient } from '../session/query-client.ts'
import { currentSession } from '../session/session.ts'
import { organizationQuery, teamQuery } from './queries.ts'

/** What the frame around a member's pages shows. */
export async function readFrame(): Promise<void> {
  const session = currentSession()
  const mayDelete = session !== null && isAtLeast(session.role, leastRole.deleteAccount)
  await Promise.all([
    queryClient.ensureQueryData(organizationQuery),
    queryClient.ensureQueryData(teamQuery),
    // No page waits for a notice in vain, or fails with it.
    mayDelete && queryClient.prefetchQuery(dataRequestsQuery),
  ])
}
