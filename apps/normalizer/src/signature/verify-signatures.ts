import type {
  OverallSignatureStatus,
  SignatureVerification,
} from '@pdfnorm/contracts/schema/signature-verification'
import type { PdfFile } from '../pdf/pdf-file.ts'
import type { SignatureValue } from '../pdf/form/signature-field.ts'
import { rangesCross } from './byte-range.ts'
import type { TimestampCheck } from './timestamp-token.ts'
import { type VerifiedSignature, verifySignature } from './verify-signature.ts'

export interface SignatureReport {
  readonly verification: SignatureVerification
  /** The name of an accepted but weak hash function that it relies on. */
  readonly weakAlgorithm: string | null
}

/**
 * Verifies all signatures of a document. What the certificates are worth is not judged: no trust anchors are known
 * here, so `certificateChainTrusted` is null.
 *
 * @param now the validation time where no valid time-stamp gives one
 */
export function verifySignatures(
  file: PdfFile,
  values: readonly SignatureValue[],
  now: Date,
): SignatureReport[] {
  const signatures = values.map((value) => verifySignature(file, value))
  return signatures.map((signature) => {
    const reason = signature.reason ?? crossing(signature, signatures)
    const own = signature.timestamp
    const covering = own ?? coveringTimestamp(signature, signatures)
    const stampedAt = covering && isGood(covering) ? covering.genTime : null
    const ownTime = own && isGood(own) ? own.genTime : null
    return {
      weakAlgorithm: signature.weakAlgorithm,
      verification: {
        fieldName: signature.fieldName,
        signerName: signature.certificate?.subject ?? null,
        signedAt: (ownTime ?? signature.statedTime)?.toISOString() ?? null,
        valid: reason === null,
        certificateExpired: isExpired(signature, stampedAt ?? now),
        certificateChainTrusted: null,
        timestampPresent: covering !== null,
        timestampValid: covering && isGood(covering),
        reason,
      },
    }
  })
}

/** NONE without signatures, ALL_VALID or SOME_INVALID otherwise (trust, 2.1). */
export function overallStatus(reports: readonly SignatureReport[]): OverallSignatureStatus {
  if (reports.length === 0) return 'NONE'
  return reports.every(({ verification }) => verification.valid) ? 'ALL_VALID' : 'SOME_INVALID'
}

function crossing(signature: VerifiedSignature, all: readonly VerifiedSignature[]): string | null {
  const { range } = signature
  if (!range) return null
  const crosses = all.some(
    (other) => other !== signature && other.range && rangesCross(range, other.range),
  )
  return crosses ? 'byte range invalid' : null
}

/** The first later document time-stamp whose signed bytes hold this signature whole; a good one if there is any. */
function coveringTimestamp(
  { range }: VerifiedSignature,
  all: readonly VerifiedSignature[],
): TimestampCheck | 'faulty' | null {
  if (!range) return null
  const covering = all
    .filter(
      (other) =>
        other.isDocumentTimestamp && other.range !== null && other.range.gapStart >= range.end,
    )
    .toSorted((a, b) => (a.range?.end ?? 0) - (b.range?.end ?? 0))
  const good = covering.find(({ reason, timestamp }) => reason === null && isGood(timestamp))
  const [first] = covering
  if (good) return good.timestamp
  return first ? 'faulty' : null
}

function isGood(timestamp: TimestampCheck | 'faulty' | null): timestamp is TimestampCheck {
  return (
    timestamp !== null &&
    timestamp !== 'faulty' &&
    timestamp.reason === null &&
    timestamp.byAuthority
  )
}

function isExpired({ certificate }: VerifiedSignature, at: Date): boolean {
  if (!certificate) return false
  return at < certificate.notBefore || at > certificate.notAfter
}
