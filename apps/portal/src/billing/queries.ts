import { queryOptions } from '@tanstack/react-query'
import { rpc } from '../session/rpc.ts'

export const billingQuery = queryOptions({
  queryKey: ['billing'],
  queryFn: ({ signal }) => rpc.billing.info.query(undefined, { signal }),
  staleTime: 5000,
})
