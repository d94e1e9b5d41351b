import type { Problem, ProblemCode } from '../generated/types.ts'

/** What went wrong on this side: the service gave no answer, or what came is not what it should be. */
export type LocalErrorCode =
  | 'CONNECTION_FAILED'
  | 'TIMED_OUT'
  | 'UNEXPECTED_ANSWER'
  | 'HASH_MISMATCH'
  | 'CERTIFICATE_INVALID'
  | 'ATTESTATION_INVALID'
  | 'WEBHOOK_BODY_NOT_RAW'
  | 'WEBHOOK_SIGNATURE_MISSING'
  | 'WEBHOOK_SIGNATURE_INVALID'
  | 'WEBHOOK_TIMESTAMP_INVALID'

export type PdfnormErrorCode = ProblemCode | LocalErrorCode

/** What is known about an error beside its code; what is left out is null. */
export interface ErrorFacts {
  readonly status?: number
  readonly requestId?: string | null
  readonly problem?: Problem
  readonly retryAfter?: number | null
  readonly cause?: unknown
}

/**
 * Everything that this package throws, but for the reason of a signal that was aborted and the faults of a
 * caller's own stream or file.
 */
export class PdfnormError extends Error {
  override readonly name: string = 'PdfnormError'
  readonly code: PdfnormErrorCode
  /** The HTTP status; null when there was no answer. */
  readonly status: number | null
  /** The id of the request, for questions to the service. */
  readonly requestId: string | null
  /** The problem document with which the service refused. */
  readonly problem: Problem | null
  /** Whole seconds until it is worth asking again. */
  readonly retryAfter: number | null
  /** The key with which the upload was sent: sending the same file with it again goes on where this ended. */
  idempotencyKey: string | null = null
  /** The submission that was waited for. */
  submissionId: string | null = null

  constructor(code: PdfnormErrorCode, message: string, facts: ErrorFacts = {}) {
    super(message, 'cause' in facts ? { cause: facts.cause } : undefined)
    this.code = code
    this.status = facts.status ?? null
    this.requestId = facts.requestId ?? null
    this.problem = facts.problem ?? null
    this.retryAfter = facts.retryAfter ?? null
  }
}
