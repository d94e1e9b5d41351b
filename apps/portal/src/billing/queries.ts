import { queryOptions } from '@tanstack/react-query'
import { rpc } from '../session/rpc.ts'

export const billingQuery = queryOptions({
  queryKey: ['billing', 'info'],
  queryFn: ({ signal }) => rpc.billing.info.query(undefined, { signal }),
  staleTime: 5000,
})

export const chargesQuery = queryOptions({
  queryKey: ['billing', 'charges'],
  queryFn: ({ signal }) => rpc.billing.charges.query(undefined, { signal }),
  staleTime: 5000,
})
