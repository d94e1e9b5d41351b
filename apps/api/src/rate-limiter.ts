import type { MikroORM } from '@mikro-orm/postgresql'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import {
  type RateLimit,
  type RateLimitName,
  rateLimits,
} from '@pdfnorm/contracts/schema/rate-limit'
import type { Pool, QueryConfig } from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Config } from './config.ts'

/** Fixed windows whose counters lie in PostgreSQL, so that they hold over all processes. */
export interface RateLimiter {
  /**
   * Counts one request.
   *
   * @param who the address, key or member that the limit is per
   * @returns null: nothing is counted here
   */
  count(name: RateLimitName, who: string): Promise<RateState | null>
}

/** What is left of a limit after a request was counted. */
export interface RateState {
  name: RateLimitName
  limit: RateLimit
  remaining: number
  /** Whole seconds until the window ends, at least 1. */
  resetSeconds: number
  /** Set if this request was one too many. */
  refusal: Refusal<'RATE_LIMITED'> | null
}

/** The headers of draft-ietf-httpapi-ratelimit-headers. */
export function rateHeaders({ name, limit, remaining, resetSeconds }: RateState) {
  return {
    'RateLimit-Policy': `"${name}";q=${limit.requests};w=${limit.windowSeconds}`,
    RateLimit: `"${name}";r=${remaining};t=${resetSeconds}`,
  }
}

/** Counts in the table `rate_limit`; with `RATE_LIMITS=off` (development only) nothing is counted. */
export async function openRateLimiter(
  { rateLimits: on }: Pick<Config, 'rateLimits'>,
  orm: MikroORM,
): Promise<RateLimiter> {
  if (!on) return { count: async () => null }

  const pool = await orm.em.getDriver().getConnection().getNativeClient()
  const limiters = new Map(
    Object.entries<RateLimit>(rateLimits).map(([name, limit]) => [
      name,
      limiter(pool, name, limit),
    ]),
  )

  return {
    async count(name, who) {
      const limiter = limiters.get(name)
      if (limiter === undefined) throw new Error(`There is no limit ${name}`)
      const used = await consume(limiter, who)
      const limit = rateLimits[name]
      const resetSeconds = Math.max(1, Math.ceil(used.msBeforeNext / 1000))
      return {
        name,
        limit,
        remaining: used.remainingPoints,
        resetSeconds,
        refusal: used.consumedPoints > limit.requests ? refused(limit, resetSeconds) : null,
      }
    },
  }
}

function limiter(pool: Pool, name: string, limit: RateLimit): RateLimiterPostgres {
  return new RateLimiterPostgres({
    storeClient: unnamed(pool),
    storeType: 'pool',
    tableName: 'rate_limit',
    tableCreated: true,
    // The job `clear-expired` does, in bounded steps.
    clearExpiredByTimeout: false,
    keyPrefix: name,
    points: limit.requests,
    duration: limit.windowSeconds,
  })
}

/** The library names its statements, and a name lasts no longer than a session: behind a pooler there is none. */
function unnamed(pool: Pool) {
  return { query: ({ text, values = [] }: QueryConfig) => pool.query({ text, values }) }
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

function refused({ requests, windowSeconds }: RateLimit, resetSeconds: number) {
  return new Refusal(
    'RATE_LIMITED',
    `${requests} requests in ${windowSeconds} seconds are allowed. Try again in ${resetSeconds} seconds.`,
    { retryAfterSeconds: resetSeconds },
  )
}
