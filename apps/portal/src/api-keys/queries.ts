import type { ApiKeyResponse } from '@pdfnorm/contracts/schema/api-key'
import { queryOptions } from '@tanstack/react-query'
import { queryClient } from '../session/query-client.ts'
import { rpc } from '../session/rpc.ts'

export const apiKeysQuery = queryOptions({
  queryKey: ['api-keys'],
  queryFn: ({ signal }) => rpc.apiKeys.list.query(undefined, { signal }),
})

/** After a change: what the page shows of the keys is asked for again. */
export function apiKeysChanged(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: apiKeysQuery.queryKey })
}

/** What a key is by now. The interface says whether it works; one that does not has expired or was revoked. */
export function standingOf({ isActive, expiresAt }: ApiKeyResponse): ApiKeyStanding {
  if (isActive) return 'working'
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'revoked'
}

export type ApiKeyStanding = 'working' | 'expired' | 'revoked'
