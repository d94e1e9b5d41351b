import type { RequestHandler } from 'express'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'

export interface Metrics {
  registry: Registry
  /** Measures every request. */
  measure: RequestHandler
}

/** Counters for Prometheus: the process, and requests by method, route and status. */
export function openMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last byte of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10, 30],
    registers: [registry],
  })

  return {
    registry,
    measure: (req, res, next) => {
      const end = duration.startTimer()
      res.once('close', () => {
        // The route's pattern and not the path: ids would make a series each.
        const route: unknown = req.route
        const path =
          typeof route === 'object' && route !== null && 'path' in route
            ? String(route.path)
            : 'none'
        end({ method: req.method, route: path, status: res.statusCode })
      })
      next()
    },
  }
}
