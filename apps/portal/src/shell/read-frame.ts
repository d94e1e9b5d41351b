import { queryClient } from '../session/query-client.ts'
import { organizationQuery, teamQuery } from './queries.ts'

/** What the frame around a member's pages shows. */
export async function readFrame(): Promise<void> {
  await Promise.all([
    queryClient.ensureQueryData(organizationQuery),
    queryClient.ensureQueryData(teamQuery),
  ])
}
