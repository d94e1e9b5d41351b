import type { Refusal } from '@pdfnorm/contracts/schema/problem'
import { type RateLimitName, rateLimits } from '@pdfnorm/contracts/schema/rate-limit'
import type { Response } from 'express'
import type { Platform } from '../platform.ts'
import { clientAddress } from './client-address.ts'
import { rateHeaders } from '../rate-limiter.ts'
import type { EndpointMiddleware } from './mount.ts'
import { metadataOf } from '../mounted-endpoint.ts'
import { contextOf } from './request-context.ts'

/** Counts the requests of endpoints that are limited per address, before anything else is done. */
export function countByAddress(platform: Pick<Platform, 'rateLimiter'>): EndpointMiddleware {
  return async (endpoint, req, res) => {
    const { rateLimit } = metadataOf(endpoint)
    if (rateLimit === null || rateLimits[rateLimit].per !== 'address') return null
    return count(platform, rateLimit, clientAddress(req), res)
  }
}

/** Counts the requests of a known caller: per API key or per member. */
export function countByCaller(platform: Pick<Platform, 'rateLimiter'>): EndpointMiddleware {
  return async (endpoint, req, res) => {
    const { rateLimit } = metadataOf(endpoint)
    const { caller } = contextOf(req)
    if (rateLimit === null || caller === null || rateLimits[rateLimit].per === 'address')
      return null
    const who = caller.kind === 'api-key' ? caller.apiKeyId : caller.memberId
    return count(platform, rateLimit, who, res)
  }
}

async function count(
  { rateLimiter }: Pick<Platform, 'rateLimiter'>,
  name: RateLimitName,
  who: string,
  res: Response,
): Promise<Refusal | null> {
  const state = await rateLimiter.count(name, who)
  if (state === null) return null
  for (const [header, value] of Object.entries(rateHeaders(state))) res.setHeader(header, value)
  return state.refusal
}
