import { isAtLeast } from '@pdfnorm/contracts/schema/member'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import { apiKeyPrefix } from '@pdfnorm/contracts/schema/api-key'
import type { Request } from 'express'
import { authenticateApiKey } from '../api-key/authenticate-api-key.ts'
import type { Caller } from '../caller.ts'
import { organizationInactive } from '../organization/organization.ts'
import type { Platform } from '../platform.ts'
import { authenticateAccessToken } from '../session/authenticate-access-token.ts'
import type { EndpointMiddleware } from './mount.ts'
import { lists, metadataOf, type MountedEndpoint } from './mounted-endpoint.ts'
import { contextOf } from './request-context.ts'

/** Lets in whom the endpoint's metadata lets in, and remembers who it is. */
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
    return shortOfAccess(endpoint, caller)
  }
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

/** What the endpoint asks for and the caller does not have. */
function shortOfAccess(endpoint: MountedEndpoint, caller: Caller): Refusal | null {
  const metadata = metadataOf(endpoint)
  if (metadata.auth === 'api-key' && caller.kind === 'api-key') {
    const { scopes } = metadata
    if (!scopes.some((scope) => caller.scopes.includes(scope))) {
      return new Refusal('INSUFFICIENT_SCOPE', `The key needs the scope ${scopes.join(' or ')}.`)
    }
  }
  if (metadata.auth === 'bearer' && caller.kind === 'member') {
    if (!isAtLeast(caller.role, metadata.role)) {
      return new Refusal('INSUFFICIENT_ROLE', `This takes the role ${metadata.role} at least.`)
    }
  }
  // Every endpoint that changes something lists this refusal in its contract.
  if (!caller.organization.isActive && lists(endpoint, 403, 'ORGANIZATION_INACTIVE')) {
    return new Refusal('ORGANIZATION_INACTIVE', organizationInactive)
  }
  return null
}
