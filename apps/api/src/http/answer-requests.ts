import { type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { currentApiVersion } from '@pdfnorm/contracts/schema/api-version'
import { problemResponse, Refusal } from '@pdfnorm/contracts/schema/problem'
import type { Express } from 'express'
import { v7 as uuidv7 } from 'uuid'
import type { Platform } from '../platform.ts'
import { keepPace } from './keep-pace.ts'

/** The largest upload arrives in that time over a line of 1 Mbit/s; who sends nothing is out far earlier (keepPace). */
const requestTimeoutMs = 20 * 60 * 1000

/** A request without a Host header reaches the application, which refuses it as it does others. */
export const httpServerOptions = {
  requireHostHeader: false,
  requestTimeout: requestTimeoutMs,
} as const

/**
 * Lets the application answer every request of the server, also those that Node would answer itself: with an
 * expectation (RFC 9110, 10.1.1), and those that cannot be read as HTTP at all.
 */
export function answerRequests(
  server: Server,
  { config, log }: Pick<Platform, 'config' | 'log'>,
  app: Express,
): void {
  const answers = new WeakMap<Duplex, ServerResponse>()
  server.prependListener('request', (req, res) => answers.set(req.socket, res))
  server.on('request', app)
  keepPace(server)
  // The body is asked for when the caller is known (read-body.ts); refused, it need not be sent.
  server.on('checkContinue', (req, res) => server.emit('request', req, res))
  // Other expectations may be ignored.
  server.on('checkExpectation', (req, res) => server.emit('request', req, res))

  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const answer = answers.get(socket)
    const answering = answer?.headersSent === true && !answer.writableFinished
    if (!socket.writable || answering || error.code === 'ECONNRESET') {
      socket.destroy()
      return
    }
    const requestId = uuidv7()
    const refusal = refusalOf(error)
    log.debug({ requestId, code: refusal.code, cause: error.code }, 'no request was read')
    socket.end(problemMessage(refusal, { baseUrl: config.baseUrl, requestId }))
    // Closing at once would take the answer from a client that still sends (RFC 9112, 9.6).
    setTimeout(() => socket.destroy(), lingerMs).unref()
  })
}

const lingerMs = 2000

/** Node's codes for what it could not read. */
function refusalOf({ code }: NodeJS.ErrnoException): Refusal {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Refusal('HEADERS_TOO_LARGE', 'Send shorter headers, or a shorter address.')
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Refusal('REQUEST_TIMEOUT', 'Send the request faster.')
    default:
      return new Refusal('VALIDATION_ERROR', 'What was sent is not well-formed HTTP/1.1.')
  }
}

/** A whole answer: nothing of Express is reached for a request that could not be read. */
function problemMessage(refusal: Refusal, at: { baseUrl: string; requestId: string }): string {
  const { status, body } = problemResponse(refusal, at)
  const content = JSON.stringify(body)
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `X-Request-Id: ${at.requestId}`,
    `Api-Version: ${currentApiVersion}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(content)}`,
    `Date: ${new Date().toUTCString()}`,
    'Connection: close',
    '',
    content,
  ].join('\r\n')
}
