import type { IncomingMessage } from 'node:http'

/** How long and how far a refused client may go on sending, so that it reads the answer (RFC 9112, 9.6). */
const lingerMs = 2000
const lingerBytes = 8 * 1024 * 1024

/** Reads on for a moment and drops it: closing at once would take the answer from a client that still sends. */
export function letAnswerThrough(request: IncomingMessage): void {
  const close = () => request.socket.destroy()
  const timer = setTimeout(close, lingerMs).unref()
  let drainedBytes = 0
  request.on('data', (chunk: Uint8Array) => {
    drainedBytes += chunk.length
    if (drainedBytes > lingerBytes) close()
  })
  request.once('close', () => clearTimeout(timer))
  request.once('end', () => clearTimeout(timer))
  request.resume()
}
