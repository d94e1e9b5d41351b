import type {
  OverallSignatureStatus,
  SignatureVerification,
} from '@pdfnorm/contracts/schema/signature-verification'
import type { PdfDictionary } from '../pdf/object.ts'
import type { PdfFile } from '../pdf/pdf-file.ts'
import type { SignatureValue } from '../pdf/form/signature-field.ts'
import { signedHistory } from '../revision/signed-history.ts'
import { rangesCross } from './byte-range.ts'
import { parsedAnchors } from './parsed-anchors.ts'
import { isInForce } from './path-validation.ts'
import { SignatureTrust } from './signature-trust.ts'
import { isGoodTimestamp, type TimestampCheck } from './timestamp-token.ts'
import type { TrustAnchors } from './trust-anchors.ts'
import { ValidationMaterial } from './validation-material.ts'
import { type VerifiedSignature, verifySignature } from './verify-signature.ts'

export interface SignatureReport {
  readonly verification: SignatureVerification
  /** The name of an accepted but weak hash function that it relies on. */
  readonly weakAlgorithm: string | null
}

export interface VerificationContext {
  /** Without any, certificates are not judged, and `certificateChainTrusted` is null. */
  readonly trustAnchors?: TrustAnchors | null
  /** The validation time where no valid time-stamp gives one. */
  readonly now: Date
}

/** Signatures that are verified; the largest known documents have some dozens. */
const maxVerified = 200
/** Each takes a pass over the file: bytes that are hashed for all of them. */
const maxHashedBytes = 4 * 1024 ** 3
/** However large the file is. */
const minVerified = 20

/**
 * Verifies all signatures of a document (trust, 2.3), also against what later revisions changed; where there
 * are hundreds, of the last ones it is only said that they were not verified.
 *
 * @throws {ResourceLimitError} when to compare revisions costs more than the limits allow
 */
export function verifySignatures(
  file: PdfFile,
  values: readonly SignatureValue[],
  { trustAnchors = null, now }: VerificationContext,
): SignatureReport[] {
  const material = new ValidationMaterial(file.graph)
  const most = Math.floor(maxHashedBytes / (file.bytes.length + 1))
  const verified = values.slice(0, Math.min(maxVerified, Math.max(minVerified, most)))
  const alone = verified.map((value) => verifySignature(file, value, material))
  const signatures = alone.map((signature) => ({
    ...signature,
    reason: signature.reason ?? crossing(signature, alone),
  }))
  const trust = signatureTrust(trustAnchors, material, signatures)

  const reports = verified.map(({ dictionary }, index) => {
    const signature = signatures[index] as VerifiedSignature
    const reason = signature.reason ?? overtaking(file, dictionary)
    return report({ ...signature, reason }, signatures, trust, now)
  })
  return [...reports, ...values.slice(verified.length).map(unverified)]
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

/** What came after the signature may be more than it permits (ISO 32000-2, 12.8.2). */
function overtaking(file: PdfFile, signature: PdfDictionary): string | null {
  return signedHistory(file).overtaken.has(signature) ? 'modified after signing' : null
}

function signatureTrust(
  trustAnchors: TrustAnchors | null,
  material: ValidationMaterial,
  signatures: readonly VerifiedSignature[],
): SignatureTrust | null {
  if (!trustAnchors) return null
  for (const data of signatures.flatMap(({ structures }) => structures)) material.add(data)
  return new SignatureTrust(parsedAnchors(trustAnchors), material)
}

function report(
  signature: VerifiedSignature,
  all: readonly VerifiedSignature[],
  trust: SignatureTrust | null,
  now: Date,
): SignatureReport {
  const { certificate, reason, timestamp: own } = signature
  const later = coveringTimestamps(signature, all)
  const good = [own, ...later].filter(isGoodTimestamp)
  const isStamped = own !== null || later.length > 0
  const isValid = own === null ? good.length > 0 : isGoodTimestamp(own)
  const chain = certificate && trust ? judged(signature, good, trust, now) : null
  return {
    weakAlgorithm: signature.weakAlgorithm ?? chain?.weakAlgorithm ?? null,
    verification: {
      fieldName: signature.fieldName,
      signerName: certificate?.subjectText ?? null,
      signedAt: signedAt(signature)?.toISOString() ?? null,
      valid: reason === null,
      certificateExpired: certificate ? !isInForce(certificate, good[0]?.genTime ?? now) : false,
      certificateChainTrusted: chain && chain.trusted,
      timestampPresent: isStamped,
      timestampValid: isStamped ? isValid : null,
      reason,
    },
  }
}

function signedAt({ timestamp, statedTime }: VerifiedSignature): Date | null {
  return isGoodTimestamp(timestamp) ? timestamp.genTime : statedTime
}

interface Judgement {
  readonly trusted: boolean
  readonly weakAlgorithm: string | null
}

/**
 * Judges the signer's certificate at the earliest time-stamp whose own authority is trusted, else at the present: a
 * stamp that anybody could have made does not take a certificate back to when it was in force.
 */
function judged(
  { certificate, isDocumentTimestamp, timestamp }: VerifiedSignature,
  good: readonly TimestampCheck[],
  trust: SignatureTrust,
  now: Date,
): Judgement {
  const path = isDocumentTimestamp
    ? isGoodTimestamp(timestamp) && trust.ofTimestamp(timestamp)
    : certificate && trust.ofSigner(certificate, trustedTime(good, trust) ?? now)
  return { trusted: Boolean(path), weakAlgorithm: path ? path.weakAlgorithm : null }
}

function trustedTime(good: readonly TimestampCheck[], trust: SignatureTrust): Date | null {
  const [earliest] = good
    .filter((timestamp) => trust.ofTimestamp(timestamp) !== null)
    .toSorted((a, b) => a.genTime.getTime() - b.genTime.getTime())
  return earliest?.genTime ?? null
}

/** Later document time-stamps whose signed bytes hold this signature whole; `faulty` those that do not hold themselves. */
function coveringTimestamps(
  { range }: VerifiedSignature,
  all: readonly VerifiedSignature[],
): (TimestampCheck | 'faulty')[] {
  if (!range) return []
  return all
    .filter((other) => other.isDocumentTimestamp && (other.range?.gapStart ?? 0) >= range.end)
    .toSorted((a, b) => (a.range?.end ?? 0) - (b.range?.end ?? 0))
    .map(({ reason, timestamp }) => (reason === null && timestamp ? timestamp : 'faulty'))
}

function unverified({ fieldName }: SignatureValue): SignatureReport {
  return {
    weakAlgorithm: null,
    verification: {
      fieldName,
      signerName: null,
      signedAt: null,
      valid: false,
      certificateExpired: false,
      certificateChainTrusted: null,
      timestampPresent: false,
      timestampValid: null,
      reason: 'not verified: the document has too many signatures',
    },
  }
}
