import { queryOptions } from '@tanstack/react-query'
import { rpc } from '../session/rpc.ts'

export const statisticsQuery = queryOptions({
  queryKey: ['statistics', 'now'],
  queryFn: ({ signal }) => rpc.statistics.get.query(undefined, { signal }),
  staleTime: 5000,
})

export const historyQuery = queryOptions({
  queryKey: ['statistics', 'history'],
  queryFn: ({ signal }) => rpc.statistics.history.query(undefined, { signal }),
  staleTime: 60_000,
})
