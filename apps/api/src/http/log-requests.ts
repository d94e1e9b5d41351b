import type { IncomingMessage } from 'node:http'
import { apiKeyPrefix } from '@pdfnorm/contracts/schema/api-key'
import type { RequestHandler } from 'express'
import { pinoHttp } from 'pino-http'
import { currentActivity } from '../activity.ts'
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
        url: withoutSecrets(String(url)),
        remoteAddress,
      }),
      res: ({ statusCode }: { statusCode: number }) => ({ statusCode }),
    },
    customProps: (req) => {
      const { requestId, caller } = contextOf(req)
      return {
        // Each line names the request that it is written in; the line of an aborted one is written outside.
        ...(currentActivity().requestId === undefined && { requestId }),
        ...(caller !== null && { organizationId: caller.organization.id }),
      }
    },
  })
}

/**
 * The path alone: clients put keys and tokens into a query by mistake, or a key where its id belongs. Whoever has a
 * presigned address may download from it.
 */
function withoutSecrets(url: string): string {
  const [directory = ''] = presignedDownloadPath.split(':')
  if (url.startsWith(directory)) return `${directory}[secret]`
  const [path = ''] = url.split('?')
  return path.replaceAll(apiKey, '[secret]')
}

const apiKey = new RegExp(`${apiKeyPrefix}_\\w+`, 'g')

/** Asked every few seconds by whoever watches the process: worth a line only when it goes wrong. */
export function isProbe({ url }: IncomingMessage): boolean {
  return url === '/healthz' || url === '/readyz' || url === '/metrics'
}
