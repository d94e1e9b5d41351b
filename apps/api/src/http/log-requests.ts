import type { IncomingMessage } from 'node:http'
import type { RequestHandler } from 'express'
import { pinoHttp } from 'pino-http'
import { presignedDownloadPath } from '../artifact/presigned-download.ts'
import type { Platform } from '../platform.ts'
import { contextOf } from './request-context.ts'

/** One line per answer, with the request's id; headers that hold secrets are redacted by the log. */
export function logRequests(platform: Platform): RequestHandler {
  return pinoHttp({
    logger: platform.log,
    genReqId: (req) => contextOf(req).requestId,
    customLogLevel: (req, res, error) => {
      if (error || res.statusCode === 500 || res.statusCode === 503) return 'error'
      return isProbe(req) ? 'debug' : 'info'
    },
    // A fault has its own line with the cause; here it would be an error without one.
    customErrorObject: (_req, _res, _error, line: object) =>
      Object.fromEntries(Object.entries(line).filter(([name]) => name !== 'err')),
    serializers: {
      req: ({ method, url, remoteAddress }: Record<string, unknown>) => ({
        method,
        url: withoutToken(String(url)),
        remoteAddress,
      }),
      res: ({ statusCode }: { statusCode: number }) => ({ statusCode }),
    },
    customProps: (req) => {
      const { requestId, caller } = contextOf(req)
      return {
        requestId,
        ...(caller !== null && { organizationId: caller.organization.id }),
      }
    },
  })
}

/** Whoever has a presigned address may download from it. */
function withoutToken(url: string): string {
  const [directory = ''] = presignedDownloadPath.split(':')
  return url.startsWith(directory) ? `${directory}[secret]` : url
}

/** Asked every few seconds by whoever watches the process: worth a line only when it goes wrong. */
export function isProbe({ url }: IncomingMessage): boolean {
  return url === '/healthz' || url === '/readyz' || url === '/metrics'
}
