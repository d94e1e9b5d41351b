import { QueryClient } from '@tanstack/react-query'
import { problemOf } from '../problem/problem-of.ts'

/** What pages have read of the service. A refusal stays one; what got no answer is asked for once more. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (failures, error) => failures < 1 && problemOf(error).code === null,
    },
  },
})
