import { ConnectionError, TimeoutError } from '../error/connection-error.ts'
import { PdfnormError } from '../error/pdfnorm-error.ts'
import { ownAddress } from '../error/refusal-errors.ts'

/** How an attempt failed. */
export interface Failure {
  readonly cause: unknown
  /** What had come when the answer broke off. */
  readonly answer: Response | undefined
  /** Milliseconds after which nobody waited any longer; null: it failed before. */
  readonly timedOutMs: number | null
}

export function failureOf(url: string, { cause, answer, timedOutMs }: Failure): PdfnormError {
  const facts = {
    cause,
    ...(answer && { status: answer.status, requestId: answer.headers.get('x-request-id') }),
  }
  if (timedOutMs !== null) {
    return new TimeoutError('TIMED_OUT', `${url} did not answer within ${timedOutMs} ms`, facts)
  }
  const reason = reasonOf(cause)
  // Of a stream's upload nothing more is told than that there was one (send.ts, streamInit).
  if (/redirect/.test(reason)) {
    return new PdfnormError('UNEXPECTED_ANSWER', `${url} redirects: ${ownAddress}`, facts)
  }
  const what = answer === undefined ? 'could not be reached' : 'broke off its answer'
  return new ConnectionError('CONNECTION_FAILED', `${url} ${what}: ${reason}`, facts)
}

/** Node's fetch hides the reason one level down. */
function reasonOf(cause: unknown): string {
  const reason = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
  // Of several addresses tried none has a message of its own.
  if (reason instanceof AggregateError && reason.message === '') return String(reason.errors[0])
  return reason instanceof Error ? reason.message : String(reason)
}
