import {
  type RateLimit,
  type RateLimitName,
  rateLimits,
} from '@pdfnorm/contracts/schema/rate-limit'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { Response } from 'express'
import type { Pool } from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'

/** Fixed windows whose counters lie in PostgreSQL, so that they hold over all processes. */
export interface RateLimiter {
  /**
   * Counts one request and sets the `RateLimit` headers
   * (draft-ietf-httpapi-ratelimit-headers).
   *
   * @param who the address, key or member that the limit is per
   */
  count(name: RateLimitName, who: string, res: Response): Promise<Refusal<'RATE_LIMITED'> | null>
}

export function openRateLimiter(pool: Pool): RateLimiter {
  const limiters = new Map(
    Object.entries<RateLimit>(rateLimits).map(([name, limit]) => [
      name,
      new RateLimiterPostgres({
        storeClient: pool,
        storeType: 'pool',
        tableName: 'rate_limit',
        tableCreated: true,
        keyPrefix: name,
        points: limit.requests,
        duration: limit.windowSeconds,
      }),
    ]),
  )

  return {
    async count(name, who, res) {
      const limiter = limiters.get(name)
      if (limiter === undefined) throw new Error(`There is no limiter ${name}`)
      const state = await consume(limiter, who)
      const resetSeconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000))

      const { requests, windowSeconds } = rateLimits[name]
      res.setHeader('RateLimit-Policy', `"${name}";q=${requests};w=${windowSeconds}`)
      res.setHeader('RateLimit', `"${name}";r=${state.remainingPoints};t=${resetSeconds}`)
      if (state.consumedPoints <= requests) return null
      return new Refusal(
        'RATE_LIMITED',
        `${requests} requests in ${windowSeconds} seconds are allowed. Try again in ${resetSeconds} seconds.`,
        { retryAfterSeconds: resetSeconds },
      )
    },
  }
}

/** The library rejects with the state, and not with an Error, when the points are used up. */
async function consume(limiter: RateLimiterPostgres, who: string): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(who)
  } catch (state) {
    if (state instanceof RateLimiterRes) return state
    throw state
  }
}

/** For `RATE_LIMITS=off`, in development only. */
export const unlimited: RateLimiter = { count: async () => null }
