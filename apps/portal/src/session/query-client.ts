import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { problemOf } from '../problem/problem-of.ts'
import { currentSession, renewSession } from './session.ts'

/**
 * What pages have read of the service. A refusal stays one; what got no answer is asked for once more. Without a network
 * both reading and doing fail and say so: nothing is kept back to be done later, when nobody expects it any more.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: learnRole }),
  mutationCache: new MutationCache({ onError: learnRole }),
  defaultOptions: {
    queries: {
      networkMode: 'always',
      staleTime: 15_000,
      retry: (failures, error) => failures < 1 && problemOf(error).code === null,
    },
    mutations: { networkMode: 'always' },
  },
})

/** Pages offer what the role in the token may do. Who is refused for their role has another one by now. */
function learnRole(cause: unknown): void {
  if (problemOf(cause).code !== 'INSUFFICIENT_ROLE') return
  renewSession(currentSession()).catch(() => undefined)
}
