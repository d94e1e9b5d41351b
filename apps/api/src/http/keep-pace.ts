import type { IncomingMessage, Server, ServerResponse } from 'node:http'

export interface Pace {
  readonly periodMs: number
  /** In each period; a connection moves about 64 KiB at once. */
  readonly minBytes: number
}

/** A client that moves nothing for so long holds a connection and files, and does not come to an end. */
const slowestPace: Pace = { periodMs: 30_000, minBytes: 8 * 1024 }

/**
 * Ends exchanges whose client hardly sends its body or hardly takes the answer. A request that nobody reads for the
 * moment, and an answer that is not there yet, are the service's own doing and left alone.
 */
export function keepPace(server: Server, pace: Pace = slowestPace): void {
  const exchanges = new Map<ServerResponse, Movement>()
  server.on('request', (_req, res) => {
    exchanges.set(res, { direction: null, bytes: 0 })
    res.once('close', () => exchanges.delete(res))
  })

  const look = () => {
    for (const [res, before] of exchanges) {
      const now = movementOf(res)
      exchanges.set(res, now)
      if (now.direction === null || now.direction !== before.direction) continue
      if (now.bytes - before.bytes >= pace.minBytes) continue
      if (now.direction === 'out') res.destroy()
      else server.emit('clientError', tooSlow(), res.req.socket)
    }
  }
  const timer = setInterval(look, pace.periodMs).unref()
  server.once('close', () => clearInterval(timer))
}

interface Movement {
  /** What the client has to do; null: nothing now. */
  readonly direction: 'in' | 'out' | null
  /** Moved that way since the connection was opened. */
  readonly bytes: number
}

function movementOf(res: ServerResponse<IncomingMessage>): Movement {
  const { req } = res
  const { socket } = req
  if (!req.complete && req.readableFlowing === true && !res.headersSent) {
    return { direction: 'in', bytes: socket.bytesRead }
  }
  if (res.headersSent && !res.writableFinished && socket.writableLength > 0) {
    return { direction: 'out', bytes: socket.bytesWritten - socket.writableLength }
  }
  return { direction: null, bytes: 0 }
}

/** As Node reports a request that does not end in time. */
function tooSlow(): Error {
  return Object.assign(new Error('The request moves too slowly'), {
    code: 'ERR_HTTP_REQUEST_TIMEOUT',
  })
}
