import { type IncomingMessage, request as requestHttp } from 'node:http'
import type { Socket } from 'node:net'
import { bodyExcerpt } from './body-excerpt.ts'
import { openGuardedSocket } from './guarded-socket.ts'
import {
  OutgoingFailure,
  type OutgoingFailureCode,
  type OutgoingPolicy,
} from './outgoing-policy.ts'
import { type OutgoingTarget, outgoingTarget } from './outgoing-url.ts'
import { retryAfterSeconds } from './retry-after.ts'

export interface OutgoingRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  /** For all of it: name, connection, TLS, request and answer. */
  readonly timeoutMs: number
  /** Aborted when nobody waits for the answer any more. */
  readonly signal?: AbortSignal
}

export type OutgoingAnswer =
  | {
      readonly kind: 'answered'
      /** 200 to 599. A redirect is an answer like others: it is not followed. */
      readonly statusCode: number
      /** What the receiver asks for, at most a day; null: nothing. */
      readonly retryAfterSeconds: number | null
      /** At most the first 1,024 bytes. */
      readonly bodyExcerpt: string
      readonly durationMs: number
    }
  | {
      readonly kind: 'failed'
      readonly error: { readonly code: OutgoingFailureCode; readonly text: string }
      readonly durationMs: number
    }

/** Sends one HTTP POST to an address that a stranger chose (decision 4.7). Whatever the receiver does is returned. */
export async function sendOutgoing(
  request: OutgoingRequest,
  policy: OutgoingPolicy,
): Promise<OutgoingAnswer> {
  const startedAt = performance.now()
  const durationMs = () => Math.round(performance.now() - startedAt)
  const timeout = AbortSignal.timeout(request.timeoutMs)
  const signal = request.signal ? AbortSignal.any([timeout, request.signal]) : timeout
  let socket: Socket | null = null

  try {
    const target = outgoingTarget(request.url, policy)
    if ('code' in target) throw new OutgoingFailure(target.code, target.text)
    socket = await openGuardedSocket(target, policy, signal)
    const response = await responseTo(request, target, socket, signal)
    return {
      kind: 'answered',
      statusCode: statusOf(response),
      retryAfterSeconds: retryAfterSeconds(response.headers['retry-after'], new Date()),
      bodyExcerpt: await bodyExcerpt(response),
      durationMs: durationMs(),
    }
  } catch (error) {
    if (!(error instanceof OutgoingFailure)) throw error
    const { code, message: text } = signal.aborted ? givenUp(timeout, request) : error
    return { kind: 'failed', error: { code, text }, durationMs: durationMs() }
  } finally {
    // The rest of the answer is not waited for, and no connection is used twice.
    socket?.destroy()
  }
}

/** Resolves when the head of the answer is there; at the signal also its body ends. */
function responseTo(
  { headers, body }: OutgoingRequest,
  { authority, path }: OutgoingTarget,
  socket: Socket,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = requestHttp({
      method: 'POST',
      path,
      signal,
      maxHeaderSize: headBytes,
      createConnection: () => socket,
      setHost: false,
      headers: {
        ...headers,
        host: authority,
        'content-length': Buffer.byteLength(body),
        connection: 'close',
      },
    })
    sent.on('response', resolve)
    sent.on('error', (error) => reject(asFailure(error)))
    // Without an error of its own: after a 101 (RFC 9110, section 15.2.2), which nobody asked for.
    sent.on('close', () => reject(connectionLost('closed')))
    sent.end(body)
  })
}

/** The largest head of an answer that is read, in bytes. */
const headBytes = 16 * 1024

/** Beyond are numbers that HTTP knows no class for (RFC 9110, section 15). */
function statusOf({ statusCode = 0 }: IncomingMessage): number {
  if (statusCode >= 200 && statusCode <= 599) return statusCode
  throw new OutgoingFailure('INVALID_RESPONSE', `The answer has the status ${statusCode}.`)
}

function asFailure(error: Error): OutgoingFailure {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (code.startsWith('HPE_')) {
    return new OutgoingFailure('INVALID_RESPONSE', `The answer is not HTTP: ${code}.`)
  }
  return connectionLost(code || 'closed')
}

function connectionLost(reason: string): OutgoingFailure {
  return new OutgoingFailure('CONNECTION_FAILED', `The connection was lost: ${reason}.`)
}

function givenUp(timeout: AbortSignal, { timeoutMs }: OutgoingRequest): OutgoingFailure {
  return timeout.aborted
    ? new OutgoingFailure('TIMEOUT', `There was no answer within ${timeoutMs} ms.`)
    : new OutgoingFailure('ABORTED', 'The request was given up.')
}
