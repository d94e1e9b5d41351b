import { operations } from '@pdfnorm/contracts/endpoint/operations'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { ErrorRequestHandler, Express, RequestHandler } from 'express'
import type { Platform } from '../platform.ts'
import { mountedEndpoints } from './mount.ts'
import { sendRefusal } from './problem-response.ts'

/** Answers a method that a path does not take (RFC 9110, 15.5.6), and OPTIONS with those it takes. */
export function methodNotAllowed(app: Express, platform: Platform): void {
  const methodsOfPath = new Map<string, Set<string>>()
  for (const { method, path } of [...mountedEndpoints(), ...Object.values(operations)]) {
    const methods = methodsOfPath.get(path) ?? new Set()
    methodsOfPath.set(path, methods.add(method))
    if (method === 'GET') methods.add('HEAD')
  }

  for (const [path, methods] of methodsOfPath) {
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

export function nothingHere(platform: Platform): RequestHandler {
  return (req, res) => {
    const detail = 'No endpoint has this path. The endpoints are listed at /docs.'
    sendRefusal(platform.config, { req, res }, new Refusal('NOT_FOUND', detail))
  }
}

/** The last word: a fault is logged with its request and told to nobody. */
export function faultHandler(platform: Platform): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    // A path that is not well-formed percent-encoding is the client's fault (RFC 3986, 2.1).
    const refusal =
      error instanceof URIError
        ? new Refusal('VALIDATION_ERROR', 'The path is not well-formed.')
        : new Refusal('INTERNAL_ERROR', '')
    if (refusal.code === 'INTERNAL_ERROR') req.log.error({ err: error }, 'a request failed')

    // Half an answer cannot become another one; the broken connection tells the client.
    if (res.headersSent) {
      res.destroy()
      return
    }
    sendRefusal(platform.config, { req, res }, refusal)
  }
}
