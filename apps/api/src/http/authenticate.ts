import { Refusal } from '@pdfnorm/contracts/schema/problem'
import { apiKeyPrefix } from '@pdfnorm/contracts/schema/api-key'
import type { Request } from 'express'
import { shortOfAccess } from '../access.ts'
import { authenticateApiKey } from '../api-key/authenticate-api-key.ts'
import { metadataOf } from '../mounted-endpoint.ts'
import type { Platform } from '../platform.ts'
import { authenticateAccessToken } from '../session/authenticate-access-token.ts'
import type { EndpointMiddleware } from './mount.ts'
import { contextOf } from './request-context.ts'

/** Finds out who calls an endpoint that asks for it, and remembers it. */
export function authenticate(platform: Platform): EndpointMiddleware {
  return async (endpoint, req, res) => {
    const metadata = metadataOf(endpoint)
    // The payment processor signs the body; its route checks that.
    if (metadata.auth === 'none' || metadata.auth === 'stripe-signature') return null

    const caller =
      metadata.auth === 'api-key'
        ? await callerWithApiKey(platform, req)
        : await callerWithAccessToken(platform, req)
    if (caller instanceof Refusal) return caller

    contextOf(req).caller = caller
    res.setHeader('Api-Version', contextOf(req).apiVersion)
    return null
  }
}

/** Lets in whom the endpoint's metadata lets in. */
export const authorize: EndpointMiddleware = async (endpoint, req) => {
  const { caller } = contextOf(req)
  return caller === null ? null : shortOfAccess(endpoint, caller)
}

async function callerWithApiKey(platform: Platform, req: Request) {
  const key = req.get('x-api-key') ?? bearerToken(req)
  if (key === undefined) {
    return new Refusal('MISSING_CREDENTIALS', 'Send an API key in the header X-Api-Key.')
  }
  const found = await authenticateApiKey(platform, key)
  if (found instanceof Refusal) return found
  const context = contextOf(req)
  if (!req.get('api-version')) context.apiVersion = found.apiVersion
  return found.caller
}

async function callerWithAccessToken(platform: Platform, req: Request) {
  const token = bearerToken(req)
  if (token === undefined) {
    return new Refusal(
      'MISSING_CREDENTIALS',
      'Send an access token: Authorization: Bearer <token>.',
    )
  }
  if (token.startsWith(`${apiKeyPrefix}_`)) {
    return new Refusal('INVALID_ACCESS_TOKEN', 'The portal takes access tokens, not API keys.')
  }
  return authenticateAccessToken(platform, token)
}

/** RFC 6750, 2.1; the scheme is case-insensitive (RFC 9110, 11.1). */
function bearerToken(req: Request): string | undefined {
  return /^bearer +(\S+)$/i.exec(req.get('authorization') ?? '')?.[1]
}
