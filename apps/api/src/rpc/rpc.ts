import { isAtLeast, type MemberRole } from '@pdfnorm/contracts/schema/member'
import { problems, Refusal } from '@pdfnorm/contracts/schema/problem'
import { initTRPC, TRPCError } from '@trpc/server'
import type { MemberCaller } from '../caller.ts'
import { organizationInactive } from '../organization/organization.ts'
import type { Platform } from '../platform.ts'

/** What a procedure is called with. */
export interface RpcContext {
  platform: Platform
  /** The signed-in member, or why there is none. */
  caller: MemberCaller | Refusal
}

const trpc = initTRPC.context<RpcContext>().create({
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
      },
    }
  },
})

export const { router } = trpc

/** Any signed-in member. */
export const signedIn = trpc.procedure.use(async ({ ctx, next }) => {
  const { caller, platform } = ctx
  if (caller instanceof Refusal) throw refusalError(caller)
  const rate = await platform.rateLimiter.count('portal', caller.memberId)
  if (rate?.refusal) throw refusalError(rate.refusal)
  return next({ ctx: { platform, caller } })
})

/** Admins and the owner; what they do changes something, so the organization must be active. */
export const asAdmin = signedIn.use(({ ctx, next }) => {
  demandRole(ctx.caller, 'admin')
  demandActive(ctx.caller)
  return next()
})

/** The result of a use case; its refusal is thrown the way tRPC tells it. */
export function accepted<Result>(outcome: Result | Refusal): Result {
  if (outcome instanceof Refusal) throw refusalError(outcome)
  return outcome
}

function demandRole(caller: MemberCaller, least: MemberRole): void {
  if (isAtLeast(caller.role, least)) return
  throw refusalError(new Refusal('INSUFFICIENT_ROLE', `This takes the role ${least} at least.`))
}

function demandActive({ organization }: MemberCaller): void {
  if (organization.isActive) return
  throw refusalError(new Refusal('ORGANIZATION_INACTIVE', organizationInactive))
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
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  416: 'BAD_REQUEST',
  422: 'UNPROCESSABLE_CONTENT',
  429: 'TOO_MANY_REQUESTS',
  431: 'BAD_REQUEST',
  500: 'INTERNAL_SERVER_ERROR',
  501: 'NOT_IMPLEMENTED',
  503: 'SERVICE_UNAVAILABLE',
} as const

function refusalError(refusal: Refusal): TRPCError {
  return new TRPCError({
    code: codeOfStatus[problems[refusal.code].status],
    message: refusal.detail,
    cause: new RefusalCause(refusal),
  })
}
