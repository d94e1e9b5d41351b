import type { Problem } from '../generated/types.ts'
import { PdfnormError } from './pdfnorm-error.ts'

/** 400: something about the request is wrong; `problem.errors` lists every fault. */
export class BadRequestError extends PdfnormError {
  override readonly name: string = 'BadRequestError'
}

/** 401: the API key is missing, unknown, revoked or expired. */
export class AuthenticationError extends PdfnormError {
  override readonly name: string = 'AuthenticationError'
}

/** 402: the month's documents are used up. */
export class QuotaExceededError extends PdfnormError {
  override readonly name: string = 'QuotaExceededError'
}

/** 403: the key lacks the scope, or it is another organization's. */
export class PermissionError extends PdfnormError {
  override readonly name: string = 'PermissionError'
}

/** 404: there is no such thing, or its retention period is over. */
export class NotFoundError extends PdfnormError {
  override readonly name: string = 'NotFoundError'
}

/** 409: it contradicts what is there already. */
export class ConflictError extends PdfnormError {
  override readonly name: string = 'ConflictError'
}

/** 413: the upload is larger than the service takes from anyone. */
export class FileTooLargeError extends PdfnormError {
  override readonly name: string = 'FileTooLargeError'
}

/** 422: the idempotency key was used with another file. */
export class IdempotencyError extends PdfnormError {
  override readonly name: string = 'IdempotencyError'
}

/** 429: too many requests; `retryAfter` says when to come back. */
export class RateLimitError extends PdfnormError {
  override readonly name: string = 'RateLimitError'
}

/** 5xx: the service failed, or cannot answer now. */
export class ServiceError extends PdfnormError {
  override readonly name: string = 'ServiceError'
}

const errorByStatus: Readonly<Record<number, typeof PdfnormError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  402: QuotaExceededError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  413: FileTooLargeError,
  422: IdempotencyError,
  429: RateLimitError,
}

/** The error of an answer that is not a success. */
export async function errorOf(response: Response): Promise<PdfnormError> {
  const { status, headers } = response
  const facts = {
    status,
    requestId: headers.get('x-request-id'),
    retryAfter: retryAfterSeconds(headers),
  }
  const body: unknown = await response.json().catch(() => null)
  const Class = errorByStatus[status] ?? (status >= 500 ? ServiceError : PdfnormError)
  if (!isProblem(body)) {
    return new Class('UNEXPECTED_ANSWER', withoutProblem(response), facts)
  }
  const { code, requestId, detail, title } = body
  return new Class(code, detail ?? title, { ...facts, requestId, problem: body })
}

/** `Retry-After` (RFC 9110, 10.2.3) as whole seconds from now; null when there is none. */
export function retryAfterSeconds(headers: Headers): number | null {
  const value = headers.get('retry-after')
  if (value === null) return null
  if (/^\d+$/.test(value)) return Number(value)
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - Date.now()) / 1000))
}

export const ownAddress = 'give its own address as baseUrl'

/** A redirect is not followed: it would carry the API key to wherever it leads. */
function withoutProblem({ status, headers, type }: Response): string {
  const redirects = type === 'opaqueredirect' || (status >= 300 && status < 400)
  if (!redirects) return `The service answered ${status} without a problem document`
  return `The service redirects to ${headers.get('location') ?? 'elsewhere'}: ${ownAddress}`
}

/** The codes are an open list: a newer service may give one that this version does not name. */
function isProblem(body: unknown): body is Problem {
  return (
    typeof body === 'object' &&
    body !== null &&
    'code' in body &&
    typeof body.code === 'string' &&
    'title' in body &&
    typeof body.title === 'string' &&
    'requestId' in body &&
    typeof body.requestId === 'string'
  )
}
