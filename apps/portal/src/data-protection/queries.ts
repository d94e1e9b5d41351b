import { queryOptions } from '@tanstack/react-query'
import { queryClient } from '../session/query-client.ts'
import { rpc } from '../session/rpc.ts'

/** How often it is asked while something is under way, in milliseconds. */
const askAgainMs = 2000

export const dataRequestsQuery = queryOptions({
  queryKey: ['data-requests'],
  queryFn: ({ signal }) => rpc.dataProtection.latest.query(undefined, { signal }),
  staleTime: 2000,
  refetchInterval: ({ state }) => (isUnderWay(state.data) ? askAgainMs : false),
})

type LatestRequests = Awaited<ReturnType<typeof rpc.dataProtection.latest.query>>

/** Shows what was asked for, and has its state read. */
export async function noteRequest(asked: Partial<LatestRequests>): Promise<void> {
  const { queryKey } = dataRequestsQuery
  await queryClient.cancelQueries({ queryKey })
  queryClient.setQueryData(queryKey, (former) => former && { ...former, ...asked })
  await queryClient.invalidateQueries({ queryKey })
}

function isUnderWay(requests: LatestRequests | undefined): boolean {
  if (requests === undefined) return false
  const { export: dataExport, erasure } = requests
  return dataExport?.status === 'pending' || (erasure !== null && erasure.completedAt === null)
}
