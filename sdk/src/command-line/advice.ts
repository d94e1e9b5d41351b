import type { Operations } from '../generated/routes.ts'
import type { FailureCode, LocalErrorCode } from '../index.ts'

type RefusalCode = Operations[keyof Operations]['refusal']

/** What to do about each error. A code that this version does not know has none. */
const adviceByCode: Readonly<Record<RefusalCode | LocalErrorCode, string>> = {
  UNKNOWN_API_VERSION: 'The service is older than this program: install an older @pdfnorm/sdk.',
  VALIDATION_ERROR: 'Check the options; pdfnorm help lists what each of them takes.',
  INVALID_FILE: 'Is it a PDF? It has to begin with %PDF-.',
  INVALID_REGION: 'The regions are ca-central-1, us-east-2 and eu-central-1.',
  REGION_NOT_ALLOWED: 'Allow the region in the organization’s settings, or leave --region out.',
  INVALID_SHA256: 'A SHA-256 has 64 hexadecimal digits.',
  INVALID_BATCH: 'Look up the id of the batch; it has to be one of your organization.',
  WEBHOOK_URL_FORBIDDEN: 'Give an https address that can be reached from the internet.',
  MISSING_CREDENTIALS: 'Run pdfnorm login, or set PDFNORM_API_KEY.',
  INVALID_API_KEY: 'Make a new key in the portal, then run pdfnorm login or set PDFNORM_API_KEY.',
  QUOTA_EXCEEDED: 'Wait for the next billing cycle, or take a larger plan in the portal.',
  INSUFFICIENT_SCOPE: 'Make a key with the scopes normalize and read in the portal.',
  ORGANIZATION_INACTIVE: 'The organization was deactivated; nothing can be normalized for it.',
  FORBIDDEN_RESOURCE: 'Use a key of the organization that normalized the file.',
  NOT_FOUND: 'Check the id or hash, and that the key is of the right organization.',
  EXPIRED: 'The plan’s retention period is over: normalize the original again.',
  FILE_TOO_LARGE: 'The service takes no file of this size.',
  UNSUPPORTED_MEDIA_TYPE: 'Is PDFNORM_BASE_URL the address of a pdfnorm service?',
  PRECONDITION_FAILED: 'Try again.',
  RANGE_NOT_SATISFIABLE: 'Try again.',
  IDEMPOTENCY_KEY_REUSED: 'The key was used with another file: leave --idempotency-key out.',
  RATE_LIMITED: 'Try again later, or with a lower --concurrency.',
  INTERNAL_ERROR: 'Try again; if it stays so, tell the service’s support the request id.',
  UNAVAILABLE: 'Try again later.',
  CONNECTION_FAILED: 'Check PDFNORM_BASE_URL and the network.',
  TIMED_OUT: 'Run the same command again with the idempotency key shown, to go on waiting.',
  UNEXPECTED_ANSWER: 'Is PDFNORM_BASE_URL the address of a pdfnorm service?',
  HASH_MISMATCH: 'Somebody or something changed the file: do not use it.',
  CERTIFICATE_INVALID: 'Do not rely on it. Get the certificate from the service, and the keys.',
  ATTESTATION_INVALID: 'Do not rely on it. Get the attestation from the service, and the keys.',
  WEBHOOK_BODY_NOT_RAW: 'Give the body as it arrived.',
  WEBHOOK_SIGNATURE_MISSING: 'The request is not from the service.',
  WEBHOOK_SIGNATURE_INVALID: 'Check the secret of the webhook.',
  WEBHOOK_TIMESTAMP_INVALID: 'Check the clock.',
}

const adviceByFailure: Readonly<Record<FailureCode, string>> = {
  POLICY_REJECTION: 'It is signed: --signed-pdf-policy strip or preserve accepts it.',
  ENCRYPTED_PDF: 'Decrypt it first, for instance with qpdf --decrypt.',
  FILE_TOO_LARGE: 'It is larger than the organization’s plan allows.',
  UNSUPPORTED_PDF_VERSION: 'Only PDF 1.x and 2.x are normalized.',
  MALFORMED_PDF: 'It is damaged beyond repair.',
  RESOURCE_LIMIT_EXCEEDED: 'It takes more time or memory than any document may.',
  INTERNAL_ERROR: 'Try again; if it stays so, tell the service’s support the submission’s id.',
}

export function adviceForError(code: string): string | null {
  return find(adviceByCode, code)
}

export function adviceForFailure(code: string): string | null {
  return find(adviceByFailure, code)
}

function find(advice: Readonly<Record<string, string>>, code: string): string | null {
  return Object.hasOwn(advice, code) ? (advice[code] ?? null) : null
}
