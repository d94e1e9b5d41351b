import type { PortalRpc } from '@pdfnorm/api/rpc/portal-rpc'
import { createTRPCClient, httpBatchLink } from '@trpc/client'
import { authorizedFetch } from './authorized-fetch.ts'

/** The procedures of the portal; those that are called in the same moment go in one request. */
export const rpc = createTRPCClient<PortalRpc>({
  links: [
    httpBatchLink({
      url: '/rpc',
      // What the server reads of an address is limited; longer batches are split.
      maxURLLength: 4000,
      fetch: (address, init) => authorizedFetch(address, init as RequestInit),
    }),
  ],
})
