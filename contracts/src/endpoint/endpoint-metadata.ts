import type { ApiKeyScope } from '../schema/api-key.ts'
import type { MemberRole } from '../schema/member.ts'
import type { ProblemCode } from '../schema/problem.ts'
import type { RateLimitName } from '../schema/rate-limit.ts'
import type { ResponseHeaderName } from './response-headers.ts'

/**
 * What the server enforces on an endpoint and the documentation says about it. It stands on every endpoint as
 * `metadata: {…} as const satisfies EndpointMetadata`.
 */
export type EndpointMetadata = EndpointAccess & {
  /** The counter of its requests; null: they are not counted. */
  readonly rateLimit: RateLimitName | null

  /**
   * The code that a fault at this place has when it is the request's only one (decision 1.2): `path.hash`,
   * `body.region`, and what lies below it, `body.allowed_regions.0`. A value that is missing or of another type stays
   * a VALIDATION_ERROR.
   */
  readonly faults?: Readonly<Record<string, ProblemCode>>

  /** Headers of its own on the answers with this status, beside those that every answer has. */
  readonly responseHeaders?: Readonly<Record<number, readonly ResponseHeaderName[]>>

  /** The file part of a multipart body, whose text fields are the endpoint's `body`. */
  readonly upload?: { readonly field: string; readonly contentType: string }

  /** What the address answers to which the endpoint redirects. */
  readonly redirectsTo?: { readonly contentType: string; readonly description: string }

  /** The body has to reach the handler as the bytes that were sent. */
  readonly rawBody?: true
}

export type EndpointAccess =
  /** Anyone; with a cookie, if the answer depends on one. */
  | { readonly auth: 'none'; readonly cookie?: string }
  /** An API key that has at least one of the scopes. */
  | { readonly auth: 'api-key'; readonly scopes: readonly ApiKeyScope[] }
  /** The access token of a member whose role is at least this one. */
  | { readonly auth: 'bearer'; readonly role: MemberRole }
  /** The payment processor's signature over the raw body. */
  | { readonly auth: 'stripe-signature' }
