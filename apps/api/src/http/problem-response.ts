import {
  problemResponse,
  type ProblemCode,
  type ProblemResponse,
  type Refusal,
} from '@pdfnorm/contracts/schema/problem'
import type { Request, Response } from 'express'
import type { Config } from '../config.ts'
import { contextOf } from './request-context.ts'

/** What a refusal needs of its request. */
interface Exchange {
  req: Pick<Request, 'headers'> & Parameters<typeof contextOf>[0]
  res: Pick<Response, 'setHeader' | 'status' | 'json'>
}

/**
 * The answer of a route that refuses: `return refuse(platform.config, { req, res }, refusal)`.
 * Sets the headers of a problem (RFC 9457; RFC 9110, 11.6.1 and 10.2.3).
 */
export function refuse<Code extends ProblemCode>(
  { baseUrl }: Pick<Config, 'baseUrl'>,
  { req, res }: Exchange,
  refusal: Refusal<Code>,
): ProblemResponse<Code> {
  const response = problemResponse(refusal, { baseUrl, requestId: contextOf(req).requestId })
  res.setHeader('Content-Type', 'application/problem+json')
  if (response.status === 401) res.setHeader('WWW-Authenticate', challenge(refusal.code))
  if (refusal.retryAfterSeconds !== null) {
    res.setHeader('Retry-After', String(refusal.retryAfterSeconds))
  }
  return response
}

/** Answers a request with a refusal from a middleware. */
export function sendRefusal(
  config: Pick<Config, 'baseUrl'>,
  exchange: Exchange,
  refusal: Refusal,
): void {
  const { status, body } = refuse(config, exchange, refusal)
  exchange.res.status(status).json(body)
}

/** RFC 6750, section 3: the error is named only if credentials were sent. */
function challenge(code: ProblemCode): string {
  const invalid = code === 'INVALID_API_KEY' || code === 'INVALID_ACCESS_TOKEN'
  return invalid ? 'Bearer realm="pdfnorm", error="invalid_token"' : 'Bearer realm="pdfnorm"'
}
