import type { RequestHandler } from 'express'
import { inSpan, isTracing } from '../tracing.ts'
import { isProbe } from './log-requests.ts'
import { routeOf } from './measure-requests.ts'
import { contextOf } from './request-context.ts'

/** A span for each request, from its first byte to the last one of its answer; it goes on with the caller's trace. */
export const traceRequests: RequestHandler = (req, res, next) => {
  if (!isTracing() || isProbe(req)) return next()
  void inSpan(
    {
      name: req.method,
      kind: 'server',
      attributes: {
        'http.request.method': req.method,
        'pdfnorm.request_id': contextOf(req).requestId,
      },
      traceparent: req.get('traceparent'),
    },
    (span) =>
      new Promise<void>((resolve) => {
        res.once('close', () => {
          const route = routeOf(req)
          span.rename(`${req.method} ${route}`)
          span.set({ 'http.route': route, 'http.response.status_code': res.statusCode })
          const { caller } = contextOf(req)
          span.set({ 'pdfnorm.organization_id': caller?.organization.id })
          if (res.statusCode >= 500) span.fail(`Answered ${res.statusCode}`)
          resolve()
        })
        next()
      }),
  )
}
