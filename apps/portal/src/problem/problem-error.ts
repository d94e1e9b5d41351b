import type { FieldFault, ProblemCode } from '@pdfnorm/contracts/schema/problem'

/** Why something did not work, as a page tells it. */
export class ProblemError extends Error {
  /** The interface's code; null where there was no answer, or none of this service. */
  readonly code: ProblemCode | null
  /** Names the request to whoever runs the service. */
  readonly requestId: string | null
  /** Every fault of a request that was not valid. */
  readonly faults: readonly FieldFault[]
  /** Seconds until the same may succeed. */
  readonly retryAfterSeconds: number | null

  constructor(
    detail: string,
    more: {
      code?: ProblemCode | null
      requestId?: string | null
      faults?: readonly FieldFault[]
      retryAfterSeconds?: number | null
      cause?: unknown
    } = {},
  ) {
    super(detail, { cause: more.cause })
    this.name = 'ProblemError'
    this.code = more.code ?? null
    this.requestId = more.requestId ?? null
    this.faults = more.faults ?? []
    this.retryAfterSeconds = more.retryAfterSeconds ?? null
  }
}

export const unreachable =
  'The service did not answer. Check the connection to the network, then try again.'

export const serviceFailed =
  'The service failed and has noted it. Try again; if it stays so, tell who runs the service the request id.'

/** What an answer says besides its body. */
export function factsOf(headers: Headers) {
  const seconds = Number.parseInt(headers.get('retry-after') ?? '', 10)
  return {
    requestId: headers.get('x-request-id'),
    retryAfterSeconds: Number.isNaN(seconds) ? null : seconds,
  }
}
