import type { ProblemCode } from '../schema/problem.ts'

/** What any endpoint may answer. */
const anywhere = [
  'UNKNOWN_API_VERSION',
  'INTERNAL_ERROR',
  'UNAVAILABLE',
] as const satisfies readonly ProblemCode[]

/** Endpoints without credentials. */
export const publicRefusals = [
  ...anywhere,
  'RATE_LIMITED',
] as const satisfies readonly ProblemCode[]

/** Endpoints that the payment processor calls; nothing counts its requests. */
export const processorRefusals = [
  ...anywhere,
  'MISSING_CREDENTIALS',
] as const satisfies readonly ProblemCode[]

/** Endpoints that need an API key. */
export const apiKeyRefusals = [
  ...publicRefusals,
  'MISSING_CREDENTIALS',
  'INVALID_API_KEY',
  'INSUFFICIENT_SCOPE',
] as const satisfies readonly ProblemCode[]

/** Portal endpoints that every member may call. */
export const memberRefusals = [
  ...publicRefusals,
  'MISSING_CREDENTIALS',
  'INVALID_ACCESS_TOKEN',
] as const satisfies readonly ProblemCode[]

/** Portal endpoints that read what not every role may see. */
export const roleRefusals = [
  ...memberRefusals,
  'INSUFFICIENT_ROLE',
] as const satisfies readonly ProblemCode[]

/** Portal endpoints that change something; a deactivated organization stays as it is (decision 3.11). */
export const changeRefusals = [
  ...roleRefusals,
  'ORGANIZATION_INACTIVE',
] as const satisfies readonly ProblemCode[]

/** Endpoints that take a body. */
export const bodyRefusals = [
  'VALIDATION_ERROR',
  'UNSUPPORTED_MEDIA_TYPE',
  'FILE_TOO_LARGE',
] as const satisfies readonly ProblemCode[]
