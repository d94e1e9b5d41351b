import type { ProblemCode } from '../schema/problem.ts'

/** Every response header of the interface and what it says. `schema` is JSON Schema. */
export const responseHeaders = {
  'X-Request-Id': {
    description: "The request's id, equal to `requestId` in a body.",
    schema: { type: 'string' },
    example: '0199c8a4-6e02-7b19-8c41-fa5e5f0c2b00',
  },
  'Api-Version': {
    description: 'The version of the interface that wrote the answer.',
    schema: { type: 'string' },
    example: '2026-11-01',
  },
  'RateLimit-Policy': {
    description: 'The quota and its window in seconds (draft-ietf-httpapi-ratelimit-headers).',
    schema: { type: 'string' },
    example: '"read";q=600;w=60',
  },
  RateLimit: {
    description: 'What remains of the quota, and the seconds until it is full again.',
    schema: { type: 'string' },
    example: '"read";r=599;t=42',
  },
  'Retry-After': {
    description: 'Seconds until it is worth asking again (RFC 9110, 10.2.3).',
    schema: { type: 'integer', minimum: 0 },
    example: 2,
  },
  'WWW-Authenticate': {
    description: 'The scheme with which to authenticate (RFC 9110, 11.6.1).',
    schema: { type: 'string' },
    example: 'Bearer realm="pdfnorm"',
  },
  Allow: {
    description: 'The methods that the path takes.',
    schema: { type: 'string' },
    example: 'GET, HEAD',
  },
  Location: {
    description: 'Where to go on.',
    schema: { type: 'string', format: 'uri-reference' },
    example: '/api/submissions/0199c8a4-6f1e-7c3a-9d52-0b6f6f0d3c11',
  },
  'Idempotent-Replayed': {
    description: '`true` when the idempotency key had been used with this file before.',
    schema: { type: 'string', pattern: '^true$' },
    example: 'true',
  },
  'Preference-Applied': {
    description: 'The preference that was honoured (RFC 7240).',
    schema: { type: 'string' },
    example: 'respond-async',
  },
  'X-Total-Count': {
    description: 'Entries on all pages together.',
    schema: { type: 'integer', minimum: 0 },
    example: 57,
  },
  Link: {
    description: 'The pages `next` and `prev` (RFC 8288).',
    schema: { type: 'string' },
    example: '</api/batches?page=2&page_size=20>; rel="next"',
  },
  'Content-Length': {
    description: 'Bytes of the body.',
    schema: { type: 'integer', minimum: 0 },
    example: 48211,
  },
  'Content-Disposition': {
    description: 'The name under which to save the file.',
    schema: { type: 'string' },
    example: 'attachment; filename="normalized.pdf"',
  },
  'X-Content-Hash': {
    description: 'SHA-256 of the whole file in hexadecimal.',
    schema: { type: 'string', pattern: '^[0-9a-f]{64}$' },
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  },
  'Repr-Digest': {
    description: 'SHA-256 of the whole file in base64 (RFC 9530).',
    schema: { type: 'string' },
    example: 'sha-256=:n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=:',
  },
  ETag: {
    description: 'The hash of the content, in quotes.',
    schema: { type: 'string' },
    example: '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"',
  },
  'Accept-Ranges': {
    description: 'Parts of the file can be asked for.',
    schema: { type: 'string' },
    example: 'bytes',
  },
  'Content-Range': {
    description: 'Which part of the file this is (RFC 9110, 14.4).',
    schema: { type: 'string' },
    example: 'bytes 0-1023/48211',
  },
  'Cache-Control': {
    description: 'Who may keep the answer, and for how long.',
    schema: { type: 'string' },
    example: 'no-store',
  },
  'Set-Cookie': {
    description: 'The refresh token: HttpOnly, Secure, SameSite=Lax, Path=/api/auth.',
    schema: { type: 'string' },
    example: 'refresh_token=…; Max-Age=2592000; Path=/api/auth; HttpOnly; Secure; SameSite=Lax',
  },
} as const satisfies Record<string, ResponseHeader>

export interface ResponseHeader {
  readonly description: string
  readonly schema: {
    readonly type: 'string' | 'integer'
    readonly format?: string
    readonly pattern?: string
    readonly minimum?: number
  }
  readonly example: string | number
}

export type ResponseHeaderName = keyof typeof responseHeaders

/** On every answer. */
export const headersOfEveryAnswer = [
  'X-Request-Id',
  'Api-Version',
] as const satisfies readonly ResponseHeaderName[]

/** On every answer of an endpoint whose requests are counted. */
export const headersOfCountedEndpoints = [
  'RateLimit-Policy',
  'RateLimit',
] as const satisfies readonly ResponseHeaderName[]

/** What a refusal carries because of its code. */
export const headersOfRefusals: Partial<Record<ProblemCode, readonly ResponseHeaderName[]>> = {
  MISSING_CREDENTIALS: ['WWW-Authenticate'],
  INVALID_API_KEY: ['WWW-Authenticate'],
  INVALID_CREDENTIALS: ['WWW-Authenticate'],
  INVALID_ACCESS_TOKEN: ['WWW-Authenticate'],
  INVALID_REFRESH_TOKEN: ['WWW-Authenticate'],
  METHOD_NOT_ALLOWED: ['Allow'],
  RANGE_NOT_SATISFIABLE: ['Content-Range'],
  RATE_LIMITED: ['Retry-After'],
  UNAVAILABLE: ['Retry-After'],
}
