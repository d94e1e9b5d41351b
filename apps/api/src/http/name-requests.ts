import { ApiVersion, apiVersions, currentApiVersion } from '@pdfnorm/contracts/schema/api-version'
import { limits } from '@pdfnorm/contracts/schema/limit'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { RequestHandler } from 'express'
import { v7 as uuidv7 } from 'uuid'
import type { Platform } from '../platform.ts'
import { sendRefusal } from './problem-response.ts'
import { openContext } from './request-context.ts'

const clientRequestId = new RegExp(`^[A-Za-z0-9._-]{1,${limits.requestIdMaxCharacters}}$`)

/** Gives each request its id and its API version, and each answer the headers that tell them. */
export function nameRequests(platform: Platform): RequestHandler {
  return (req, res, next) => {
    const offered = req.get('x-request-id')
    const requestId = offered && clientRequestId.test(offered) ? offered : uuidv7()
    const pinned = ApiVersion.safeParse(req.get('api-version') ?? currentApiVersion)

    openContext(req, { requestId, apiVersion: pinned.data ?? currentApiVersion, caller: null })
    res.setHeader('X-Request-Id', requestId)

    // A key has a version of its own: authentication replaces this one.
    res.setHeader('Api-Version', pinned.data ?? currentApiVersion)

    if (pinned.success) return next()
    sendRefusal(
      platform.config,
      { req, res },
      new Refusal('UNKNOWN_API_VERSION', `The versions are ${apiVersions.join(', ')}.`),
    )
  }
}
