import { headersOfEveryAnswer, responseHeaders } from '@pdfnorm/contracts/endpoint/response-headers'
import type { RequestHandler } from 'express'
import type { Config } from '../config.ts'

/** Seconds for which a browser may keep a preflight's answer. */
const preflightMaxAgeSeconds = 600

const methods = 'GET, HEAD, POST, PUT, DELETE'
const requestHeaders =
  'Authorization, Content-Type, X-Api-Key, X-Request-Id, Api-Version, Idempotency-Key, Prefer, ' +
  'Range, If-Range, If-None-Match'
const exposedHeaders = [...headersOfEveryAnswer, ...Object.keys(responseHeaders)]
  .filter((name, at, all) => name !== 'Set-Cookie' && all.indexOf(name) === at)
  .join(', ')

/**
 * Cross-origin requests (Fetch standard, 3.2): closed but for the configured origins, which may send
 * the refresh cookie. The published keys are for everyone.
 */
export function corsFor(config: Pick<Config, 'corsOrigins'>): RequestHandler {
  return (req, res, next) => {
    const isPublic = req.path.startsWith('/.well-known/')
    const origin = req.get('origin')
    if (!isPublic) res.vary('Origin')
    if (isPublic) {
      res.setHeader('Access-Control-Allow-Origin', '*')
      res.setHeader('Cross-Origin-Resource-Policy', 'cross-origin')
    } else if (origin !== undefined && config.corsOrigins.includes(origin)) {
      res.setHeader('Access-Control-Allow-Origin', origin)
      res.setHeader('Access-Control-Allow-Credentials', 'true')
      res.setHeader('Cross-Origin-Resource-Policy', 'cross-origin')
    } else {
      return next()
    }

    res.setHeader('Access-Control-Expose-Headers', exposedHeaders)
    const isPreflight =
      req.method === 'OPTIONS' && req.get('access-control-request-method') !== undefined
    if (!isPreflight) return next()
    res.setHeader('Access-Control-Allow-Methods', methods)
    res.setHeader('Access-Control-Allow-Headers', requestHeaders)
    res.setHeader('Access-Control-Max-Age', String(preflightMaxAgeSeconds))
    res.status(204).end()
  }
}
