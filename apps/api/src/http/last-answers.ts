import { operations } from '@pdfnorm/contracts/endpoint/operations'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { ErrorRequestHandler, Express, RequestHandler } from 'express'
import type { Platform } from '../platform.ts'
import { mountedEndpoints } from './mount.ts'
import { sendRefusal } from './problem-response.ts'
import { isUnreachable } from './unreachable.ts'

/** A database that starts again needs about so long. */
const outageRetrySeconds = 5

/**
 * Answers a method that a path does not take (RFC 9110, 15.5.6), and OPTIONS with those it takes.
 *
 * @param pages paths outside the contract, which take GET
 */
export function methodNotAllowed(app: Express, platform: Platform, pages: readonly string[]): void {
  const endpoints = [
    ...mountedEndpoints(),
    ...Object.values(operations),
    ...pages.map((path) => ({ method: 'GET', path })),
  ]
  const paths = [...new Set(endpoints.map(({ path }) => path))]
  // A path that is written out comes before those with a parameter that it would match too.
  const mostLiteralFirst = paths.toSorted((a, b) => parametersIn(a) - parametersIn(b))

  for (const path of mostLiteralFirst) {
    const taken = endpoints.filter((endpoint) => covers(endpoint.path, path))
    const methods = new Set(taken.map(({ method }) => method))
    if (methods.has('GET')) methods.add('HEAD')
    const allow = [...methods].sort().join(', ')
    app.all(path, (req, res) => {
      res.setHeader('Allow', allow)
      if (req.method === 'OPTIONS') {
        res.status(204).end()
        return
      }
      const detail = `This path takes ${allow}.`
      sendRefusal(platform.config, { req, res }, new Refusal('METHOD_NOT_ALLOWED', detail))
    })
  }
}

function parametersIn(path: string): number {
  return path.split('/:').length - 1
}

/** Whether every address of `path` is one of `pattern` too. */
function covers(pattern: string, path: string): boolean {
  const segments = path.split('/')
  const expected = pattern.split('/')
  return (
    segments.length === expected.length &&
    expected.every((segment, at) => segment.startsWith(':') || segment === segments[at])
  )
}

export function nothingHere(platform: Platform): RequestHandler {
  return (req, res) => {
    const detail = 'No endpoint has this path. The endpoints are listed at /docs.'
    sendRefusal(platform.config, { req, res }, new Refusal('NOT_FOUND', detail))
  }
}

/** The last word: a fault is logged with its request and told to nobody. */
export function faultHandler(platform: Platform): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    const refusal = refusalOfFault(error)
    if (refusal.code !== 'VALIDATION_ERROR') req.log.error({ err: error }, 'a request failed')

    // Half an answer cannot become another one; the broken connection tells the client.
    if (res.headersSent) {
      res.destroy()
      return
    }
    sendRefusal(platform.config, { req, res }, refusal)
  }
}

function refusalOfFault(error: unknown): Refusal {
  // A path that is not well-formed percent-encoding is the client's fault (RFC 3986, 2.1).
  if (error instanceof URIError) {
    return new Refusal('VALIDATION_ERROR', 'The path is not well-formed.')
  }
  if (!isUnreachable(error)) return new Refusal('INTERNAL_ERROR', '')
  const detail = 'The service cannot reach what it needs. Send the request again in a while.'
  return new Refusal('UNAVAILABLE', detail, { retryAfterSeconds: outageRetrySeconds })
}
