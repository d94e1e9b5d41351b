import { ApiVersion, apiVersions, currentApiVersion } from '@pdfnorm/contracts/schema/api-version'
import { limits } from '@pdfnorm/contracts/schema/limit'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { Request, RequestHandler } from 'express'
import { v7 as uuidv7 } from 'uuid'
import { during } from '../activity.ts'
import type { Platform } from '../platform.ts'
import { sendRefusal } from './problem-response.ts'
import { openContext } from './request-context.ts'

const clientRequestId = new RegExp(`^[A-Za-z0-9._-]{1,${limits.requestIdMaxCharacters}}$`)

/** Gives each request its id and its API version, and each answer the headers that tell them. */
export const nameRequests: RequestHandler = (req, res, next) => {
  const offered = req.get('x-request-id')
  const requestId = offered && clientRequestId.test(offered) ? offered : uuidv7()
  // A key has a version of its own: authentication replaces this one.
  const apiVersion = pinnedVersion(req).data ?? currentApiVersion

  openContext(req, { requestId, apiVersion, caller: null })
  res.setHeader('X-Request-Id', requestId)
  res.setHeader('Api-Version', apiVersion)
  during({ requestId }, next)
}

/** Refuses what no endpoint could answer as the client expects it. */
export function refuseUnanswerable({ config }: Pick<Platform, 'config'>): RequestHandler {
  return (req, res, next) => {
    // RFC 9112, 3.2.
    if (req.httpVersion === '1.1' && req.headers.host === undefined) {
      const detail = 'The request has no Host header.'
      return sendRefusal(config, { req, res }, new Refusal('VALIDATION_ERROR', detail))
    }
    if (pinnedVersion(req).success) return next()
    const detail = `The versions are ${apiVersions.join(', ')}.`
    sendRefusal(config, { req, res }, new Refusal('UNKNOWN_API_VERSION', detail))
  }
}

function pinnedVersion(req: Pick<Request, 'get'>) {
  return ApiVersion.safeParse(req.get('api-version') ?? currentApiVersion)
}
