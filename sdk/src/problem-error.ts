import type { Problem, ProblemCode } from './generated/types.ts'

/** What went wrong on this side: the service gave no answer, or not the one that it promises. */
export type LocalErrorCode =
  | 'CONNECTION_FAILED'
  | 'TIMED_OUT'
  | 'UNEXPECTED_ANSWER'
  | 'HASH_MISMATCH'
  | 'CERTIFICATE_INVALID'

export type PdfnormErrorCode = ProblemCode | LocalErrorCode

/** Everything that the client throws, but for the reason of a signal that was aborted. */
export class PdfnormError extends Error {
  override readonly name = 'PdfnormError'
  readonly code: PdfnormErrorCode
  /** The HTTP status; null when there was no answer. */
  readonly status: number | null
  /** The id of the request, for questions to the service. */
  readonly requestId: string | null
  /** The problem document with which the service refused. */
  readonly problem: Problem | null
  /** Whole seconds until it is worth asking again. */
  readonly retryAfter: number | null

  constructor(
    code: PdfnormErrorCode,
    message: string,
    facts: {
      status?: number
      requestId?: string | null
      problem?: Problem
      retryAfter?: number | null
      cause?: unknown
    } = {},
  ) {
    super(message, 'cause' in facts ? { cause: facts.cause } : undefined)
    this.code = code
    this.status = facts.status ?? null
    this.requestId = facts.requestId ?? null
    this.problem = facts.problem ?? null
    this.retryAfter = facts.retryAfter ?? null
  }
}

/** The error of an answer that is not a success. */
export async function errorOf(response: Response): Promise<PdfnormError> {
  const facts = {
    status: response.status,
    requestId: response.headers.get('x-request-id'),
    retryAfter: retryAfterSeconds(response.headers),
  }
  const body: unknown = await response.json().catch(() => null)
  if (!isProblem(body)) {
    const message = `The service answered ${response.status} without a problem document`
    return new PdfnormError('UNEXPECTED_ANSWER', message, facts)
  }
  const message = body.detail ?? body.title
  return new PdfnormError(body.code, message, {
    ...facts,
    requestId: body.requestId,
    problem: body,
  })
}

/** `Retry-After` (RFC 9110, 10.2.3) as whole seconds from now; null when there is none. */
export function retryAfterSeconds(headers: Headers): number | null {
  const value = headers.get('retry-after')
  if (value === null) return null
  if (/^\d+$/.test(value)) return Number(value)
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - Date.now()) / 1000))
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
