import { z } from 'zod'

/**
 * Every code with which the service refuses (decision 1.2), its status and its title. The one list: endpoints
 * name the codes they may give, use cases return them, the documentation has a page for each.
 */
export const problems = {
  VALIDATION_ERROR: { status: 400, title: 'The request is not valid' },
  INVALID_FILE: { status: 400, title: 'The upload is not one PDF file' },
  INVALID_REGION: { status: 400, title: 'There is no such region' },
  REGION_NOT_ALLOWED: { status: 400, title: 'The organization may not store in this region' },
  INVALID_SHA256: { status: 400, title: 'The hash is not a SHA-256 in hexadecimal' },
  INVALID_BATCH: { status: 400, title: 'The organization has no such batch' },
  INVALID_ROLE: { status: 400, title: 'The role cannot be given' },
  INVALID_EMAIL: { status: 400, title: 'The e-mail address is not valid' },
  SLUG_TAKEN: { status: 400, title: 'The slug is taken' },
  EMAIL_TAKEN: { status: 400, title: 'The e-mail address is in use' },
  WEAK_PASSWORD: { status: 400, title: 'The password is too weak' },
  TOKEN_INVALID: { status: 400, title: 'The token is not valid' },
  TOKEN_EXPIRED: { status: 400, title: 'The token has expired' },
  EXPORT_NOT_READY: { status: 400, title: 'The export is not complete yet' },
  COOLING_OFF_EXPIRED: { status: 400, title: 'The deletion can no longer be cancelled' },
  CANNOT_REMOVE_OWNER: { status: 400, title: 'The owner cannot be removed' },
  CANNOT_CHANGE_OWN_ROLE: { status: 400, title: 'Nobody changes their own role' },
  WEBHOOK_LIMIT_REACHED: { status: 400, title: 'The organization has as many webhooks as it may' },
  WEBHOOK_URL_FORBIDDEN: { status: 400, title: 'The address may not receive webhooks' },
  API_KEY_LIMIT_REACHED: { status: 400, title: 'The organization has as many keys as it may' },
  INVITATION_LIMIT_REACHED: {
    status: 400,
    title: 'The organization has as many open invitations as it may',
  },
  CAPTCHA_FAILED: { status: 400, title: 'The captcha was not passed' },
  UNKNOWN_API_VERSION: { status: 400, title: 'There is no such API version' },
  SUBSCRIPTION_EXISTS: { status: 400, title: 'The organization has a subscription already' },
  MISSING_CREDENTIALS: { status: 401, title: 'Credentials are missing' },
  INVALID_API_KEY: { status: 401, title: 'The API key is unknown, revoked or expired' },
  INVALID_CREDENTIALS: { status: 401, title: 'The address or the password is wrong' },
  INVALID_ACCESS_TOKEN: { status: 401, title: 'The access token is invalid or expired' },
  INVALID_REFRESH_TOKEN: { status: 401, title: 'The refresh token is missing, invalid or expired' },
  QUOTA_EXCEEDED: { status: 402, title: 'The monthly document quota is used up' },
  FORBIDDEN_RESOURCE: { status: 403, title: 'It belongs to another organization' },
  INSUFFICIENT_SCOPE: { status: 403, title: 'The API key does not have the scope' },
  INSUFFICIENT_ROLE: { status: 403, title: 'The role does not allow it' },
  ORGANIZATION_INACTIVE: { status: 403, title: 'The organization is deactivated' },
  NOT_FOUND: { status: 404, title: 'There is no such thing' },
  EXPIRED: { status: 404, title: 'Its retention period is over' },
  NO_PENDING_DELETION: { status: 404, title: 'No deletion is pending' },
  METHOD_NOT_ALLOWED: { status: 405, title: 'The path does not take this method' },
  REQUEST_TIMEOUT: { status: 408, title: 'The request did not arrive in time' },
  ALREADY_MEMBER: { status: 409, title: 'The user is a member already' },
  PRECONDITION_FAILED: { status: 412, title: 'The file is not the one that was asked for' },
  FILE_TOO_LARGE: { status: 413, title: 'The upload is larger than the service takes' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, title: 'The content type is not accepted here' },
  RANGE_NOT_SATISFIABLE: { status: 416, title: 'The range lies outside the file' },
  IDEMPOTENCY_KEY_REUSED: { status: 422, title: 'The idempotency key was used with another file' },
  RATE_LIMITED: { status: 429, title: 'Too many requests' },
  HEADERS_TOO_LARGE: { status: 431, title: 'The header section is too long' },
  INTERNAL_ERROR: { status: 500, title: 'The service failed' },
  UNAVAILABLE: { status: 503, title: 'The service cannot answer now' },
} as const satisfies Record<string, { status: number; title: string }>

export type ProblemCode = keyof typeof problems
export type ProblemStatus<Code extends ProblemCode = ProblemCode> =
  (typeof problems)[Code]['status']

export const problemCodes = Object.keys(problems).filter(isProblemCode)

export const ProblemCode = z.enum(problemCodes).meta({
  id: 'ProblemCode',
  description: 'What was refused, for programs. New codes may be added.',
  extensible: true,
})

export const FieldFault = z
  .object({
    location: z.string().meta({
      description: 'Part of the request, then the path of the field.',
      examples: ['body.orgSlug', 'query.page_size', 'path.hash', 'header.idempotency-key'],
    }),
    code: z.string().meta({ examples: ['INVALID_EMAIL', 'too_small'] }),
    message: z.string(),
  })
  .meta({
    id: 'FieldFault',
    description: 'One fault of a request; a refused request lists all of them.',
  })
export type FieldFault = z.infer<typeof FieldFault>

/** The body of every refusal: `application/problem+json` (RFC 9457; decision 1.1). */
export const Problem = z
  .object({
    type: z.url().meta({ description: "The address of the code's documentation page." }),
    title: z.string(),
    status: z.int().min(400).max(599),
    detail: z.string().optional().meta({
      description: 'What happened and what to do; absent when the service itself failed.',
    }),
    code: ProblemCode,
    requestId: z.string(),
    errors: z
      .array(FieldFault)
      .optional()
      .meta({ description: 'Every fault of the request, when it was not valid.' }),
  })
  .meta({ id: 'Problem', description: 'Why the service refused (RFC 9457).' })
export type Problem = z.infer<typeof Problem>

/** The problem body as one code has it; a union over the codes. */
export type ProblemOf<Code extends ProblemCode> = Code extends ProblemCode
  ? Omit<Problem, 'code' | 'status'> & { code: Code; status: ProblemStatus<Code> }
  : never

/** The answer with which an endpoint gives one of these codes. */
export type ProblemResponse<Code extends ProblemCode> = Code extends ProblemCode
  ? { status: ProblemStatus<Code>; body: ProblemOf<Code> }
  : never

/**
 * An expected refusal: what a use case returns, never throws. Its codes are part of the use case's type, so one
 * that its endpoint does not list fails to compile.
 */
export class Refusal<Code extends ProblemCode = ProblemCode> {
  readonly code: Code
  readonly detail: string
  readonly errors: readonly FieldFault[]
  /** Whole seconds until the same request may succeed, for `Retry-After`. */
  readonly retryAfterSeconds: number | null

  constructor(
    code: Code,
    detail: string,
    more: { errors?: readonly FieldFault[]; retryAfterSeconds?: number } = {},
  ) {
    this.code = code
    this.detail = detail
    this.errors = more.errors ?? []
    this.retryAfterSeconds = more.retryAfterSeconds ?? null
  }
}

/**
 * The status and body of a refusal.
 *
 * @param at the service's own address, without a slash at its end, and the id of the request
 */
export function problemResponse<Code extends ProblemCode>(
  refusal: Refusal<Code>,
  at: { baseUrl: string; requestId: string },
): ProblemResponse<Code> {
  const { status, title } = problems[refusal.code]
  const body: Problem = {
    type: at.baseUrl + problemPath(refusal.code),
    title,
    status,
    ...(status === 500 ? {} : { detail: refusal.detail }),
    code: refusal.code,
    requestId: at.requestId,
    ...(refusal.errors.length > 0 ? { errors: [...refusal.errors] } : {}),
  }
  return { status, body } as ProblemResponse<Code>
}

/** The path of a code's documentation page, `/docs/errors/quota-exceeded`. */
export function problemPath(code: ProblemCode): string {
  return `/docs/errors/${code.toLowerCase().replaceAll('_', '-')}`
}

/**
 * The responses of an endpoint that may give these codes: per status one problem body whose `code` is narrowed.
 * Typed to the code, because a plain `z.ZodType` would let ts-rest widen the body to `unknown`.
 */
export function refusals<const Codes extends readonly ProblemCode[]>(
  ...codes: Codes
): Refusals<Codes[number]> {
  const byStatus: Record<number, z.ZodObject> = {}
  for (const status of new Set(codes.map((code) => problems[code].status))) {
    const ofStatus = codes.filter((code) => problems[code].status === status)
    byStatus[status] = Problem.extend({ status: z.literal(status), code: z.literal(ofStatus) })
  }
  return byStatus as Refusals<Codes[number]>
}

type Refusals<Code extends ProblemCode> = {
  [Status in ProblemStatus<Code>]: ProblemSchema<CodeOf<Code, Status>, Status>
}

type CodeOf<Code extends ProblemCode, Status> = Code extends ProblemCode
  ? ProblemStatus<Code> extends Status
    ? Code
    : never
  : never

type ProblemSchema<Code extends ProblemCode, Status extends number> = z.ZodObject<
  Omit<(typeof Problem)['shape'], 'status' | 'code'> & {
    status: z.ZodLiteral<Status>
    code: z.ZodLiteral<Code>
  }
>

/** Whether a text is one of the codes. */
export function isProblemCode(text: string): text is ProblemCode {
  return Object.hasOwn(problems, text)
}
