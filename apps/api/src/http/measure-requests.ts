import type { RequestHandler } from 'express'
import type { Platform } from '../platform.ts'

/** Measures every request by method, route and status. */
export function measureRequests({ metrics }: Pick<Platform, 'metrics'>): RequestHandler {
  return (req, res, next) => {
    const end = metrics.requestDuration.startTimer()
    res.once('close', () => {
      end({ method: req.method, route: routeOf(req), status: res.statusCode })
    })
    next()
  }
}

/** The route's pattern and not the path: ids would make a series each. */
export function routeOf({ route }: { route?: unknown }): string {
  const isMatched = typeof route === 'object' && route !== null && 'path' in route
  return isMatched ? String(route.path) : 'none'
}
