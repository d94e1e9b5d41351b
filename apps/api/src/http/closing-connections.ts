import type { Server, ServerResponse } from 'node:http'

/**
 * Lets a server end without a request that is lost: from `begin` on each answer closes its connection (RFC 9112, 9.6),
 * so that clients send their next request elsewhere before the server is closed.
 */
export function closingConnections(server: Server): { begin(): void } {
  const answering = new Set<ServerResponse>()
  let closing = false
  server.prependListener('request', (_req, res) => {
    if (closing) res.setHeader('Connection', 'close')
    answering.add(res)
    res.once('close', () => answering.delete(res))
  })
  return {
    begin() {
      closing = true
      for (const res of answering) if (!res.headersSent) res.setHeader('Connection', 'close')
    },
  }
}
