export { Pdfnorm } from './client.ts'
export type * from './client-options.ts'
export { ConnectionError, TimeoutError } from './error/connection-error.ts'
export { type LocalErrorCode, PdfnormError, type PdfnormErrorCode } from './error/pdfnorm-error.ts'
export {
  AuthenticationError,
  BadRequestError,
  ConflictError,
  FileTooLargeError,
  IdempotencyError,
  NotFoundError,
  PermissionError,
  QuotaExceededError,
  RateLimitError,
  ServiceError,
} from './error/refusal-errors.ts'
export { VerificationError } from './error/verification-error.ts'
export { WebhookError } from './error/webhook-error.ts'
export type * from './generated/types.ts'
export type { ApiPromise } from './request/api-promise.ts'
export type { Listing, Page } from './request/listing.ts'
export type { Logger } from './request/logger.ts'
export type { Answered, OutgoingRequest, SendHooks, SendOptions } from './request/send.ts'
export type { ArtifactDownload } from './transfer/artifact-download.ts'
export type { PdfSource, PdfStream } from './transfer/pdf-source.ts'
export type { KeySource } from './trust/key-source.ts'
export { publishedKeys } from './trust/published-keys.ts'
export { verifyAttestation } from './trust/verify-attestation.ts'
export { verifyCertificate, type VerifyOptions } from './trust/verify-certificate.ts'
export type {
  CompletedSubmission,
  FailedSubmission,
  SucceededSubmission,
  WaitOptions,
} from './wait-for-completion.ts'
export * as webhooks from './webhooks.ts'
