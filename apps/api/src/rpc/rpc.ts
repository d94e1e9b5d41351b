import type { EndpointMetadata } from '@pdfnorm/contracts/endpoint/endpoint-metadata'
import { problems, Refusal } from '@pdfnorm/contracts/schema/problem'
import { initTRPC, TRPCError } from '@trpc/server'
import { z } from 'zod'
import { shortOfAccess } from '../access.ts'
import type { MemberCaller } from '../caller.ts'
import { faultsOf, refusalOfFaults } from '../validation-refusal.ts'
import { metadataOf, type MountedEndpoint } from '../mounted-endpoint.ts'
import type { Platform } from '../platform.ts'
import { rateHeaders, type RateState } from '../rate-limiter.ts'

/** What a procedure is called with. */
export interface RpcContext {
  platform: Platform
  /** The signed-in member, or why there is none. */
  caller: MemberCaller | Refusal
  /** What is left of the limits after each procedure of the request was counted. */
  rates: RateState[]
}

/** What is known of a procedure beside its name. */
interface ProcedureMeta {
  endpoint: MountedEndpoint
}

const trpc = initTRPC
  .context<RpcContext>()
  .meta<ProcedureMeta>()
  .create({
    errorFormatter({ shape, error }) {
      const refusal = error.cause instanceof RefusalCause ? error.cause.refusal : null
      return {
        ...shape,
        // A fault tells its caller nothing; a refusal has the code that the interface has for it.
        message: refusal?.detail ?? (error.code === 'INTERNAL_SERVER_ERROR' ? '' : shape.message),
        data: {
          code: shape.data.code,
          httpStatus: refusal ? problems[refusal.code].status : shape.data.httpStatus,
          path: shape.data.path,
          refusal: refusal?.code ?? null,
          errors: refusal?.errors ?? [],
        },
      }
    },
  })

export const { router } = trpc

/** A procedure that does what an endpoint of the portal does, for whom that endpoint lets in. */
export function twinOf(
  endpoint: MountedEndpoint,
  { rateLimit }: Pick<EndpointMetadata, 'rateLimit'> = metadataOf(endpoint),
) {
  return trpc.procedure.meta({ endpoint }).use(async ({ ctx, next, getRawInput }) => {
    const { caller, platform } = ctx
    if (caller instanceof Refusal) throw refusalError(caller)
    const rate = rateLimit && (await platform.rateLimiter.count(rateLimit, caller.memberId))
    if (rate) ctx.rates.push(rate)
    if (rate?.refusal) throw refusalError(rate.refusal)
    const refusal = shortOfAccess(endpoint, caller)
    if (refusal !== null) throw refusalError(refusal)
    const outcome = await next({ ctx: { platform, caller } })
    // What does not fit the schema is refused as the endpoint refuses it.
    const unfit = !outcome.ok && outcome.error.code === 'BAD_REQUEST' ? outcome.error.cause : null
    if (unfit instanceof z.ZodError) {
      const part = endpoint.method === 'GET' ? 'query' : 'body'
      const faults = faultsOf(endpoint, part, unfit, await getRawInput())
      throw refusalError(refusalOfFaults(faults))
    }
    return outcome
  })
}

/**
 * A procedure that reads for every member what an endpoint reads for a key with the scope `read` (decision 3.1: all
 * members read).
 */
export function readingTwinOf(endpoint: MountedEndpoint) {
  const metadata = metadataOf(endpoint)
  if (metadata.auth !== 'api-key' || !metadata.scopes.includes('read')) {
    throw new Error(`${endpoint.path} is not read by keys`)
  }
  return twinOf(endpoint, { rateLimit: 'portal' })
}

/** The headers of an answer, which is one for all procedures of a request: those of whichever has the least left. */
export function headersOf(
  rates: readonly RateState[],
  errors: readonly TRPCError[],
): Record<string, string> {
  const [least] = rates.toSorted((one, other) => one.remaining - other.remaining)
  const waits = errors.flatMap(({ cause }) =>
    cause instanceof RefusalCause ? (cause.refusal.retryAfterSeconds ?? []) : [],
  )
  return {
    ...(least && rateHeaders(least)),
    ...(waits.length > 0 && { 'Retry-After': String(Math.max(...waits)) }),
  }
}

/** The result of a use case; its refusal is thrown the way tRPC tells it. */
export function accepted<Result>(outcome: Result | Refusal): Result {
  if (outcome instanceof Refusal) throw refusalError(outcome)
  return outcome
}

class RefusalCause extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.detail)
    this.refusal = refusal
  }
}

/** The tRPC code of each status that a refusal may have. */
const codeOfStatus = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  402: 'PAYMENT_REQUIRED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_SUPPORTED',
  408: 'TIMEOUT',
  409: 'CONFLICT',
  412: 'PRECONDITION_FAILED',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  416: 'BAD_REQUEST',
  422: 'UNPROCESSABLE_CONTENT',
  429: 'TOO_MANY_REQUESTS',
  431: 'BAD_REQUEST',
  500: 'INTERNAL_SERVER_ERROR',
  503: 'SERVICE_UNAVAILABLE',
} as const

function refusalError(refusal: Refusal): TRPCError {
  return new TRPCError({
    code: codeOfStatus[problems[refusal.code].status],
    message: refusal.detail,
    cause: new RefusalCause(refusal),
  })
}
