import { isWeakDigest } from './algorithm.ts'
import { authorityKeyIdentifier, subjectKeyIdentifier } from './certificate-extension.ts'
import type { Certificate } from './certificate.ts'
import { sameName } from './distinguished-name.ts'
import { signedBy, type VerificationBudget } from './issued-by.ts'
import { sameBytes, unlessMalformed } from './malformed.ts'
import { type CertificatePurpose, isAuthority, isValidPath } from './path-validation.ts'
import type { Revocation } from './revocation-list.ts'
import { revocationsOf } from './revocation.ts'
import type { ValidationMaterial } from './validation-material.ts'

export interface PathRequest {
  readonly certificate: Certificate
  readonly purpose: CertificatePurpose
  /** The moment for which the path has to be valid. */
  readonly at: Date
  readonly anchors: readonly Certificate[]
  readonly material: ValidationMaterial
  readonly budget: VerificationBudget
}

export interface TrustedPath {
  /** The name of a weak hash function that a certificate in it relies on. */
  readonly weakAlgorithm: string | null
}

/** Certificates below the anchor; real paths have at most five. */
const maxPathLength = 10

/**
 * Looks for a path from an anchor to the certificate that holds (RFC 5280, section 6; RFC 4158): among several, also
 * over cross certificates, one that holds is enough. null when there is none.
 */
export function findTrustedPath(request: PathRequest): TrustedPath | null {
  const { certificate, anchors } = request
  if (anchors.some(({ encoding }) => sameBytes(encoding, certificate.encoding))) {
    return isValidPath([certificate], request.at, request.purpose) ? { weakAlgorithm: null } : null
  }
  return extend(request, [certificate], [])
}

/**
 * @param path from the authority reached so far down to the signer's certificate
 * @param digests hash functions of the signatures below that authority
 */
function extend(
  request: PathRequest,
  path: readonly [Certificate, ...Certificate[]],
  digests: readonly string[],
): TrustedPath | null {
  const [lowest] = path
  for (const anchor of request.anchors) {
    const digest = issuedBy(lowest, anchor, request.budget)
    if (digest !== false && holds(request, path, anchor)) {
      return { weakAlgorithm: [...digests, digest].find(isWeakDigest) ?? null }
    }
  }
  // Authorities that certify each other make paths without number.
  if (path.length === maxPathLength || request.budget.remaining-- <= 0) return null

  for (const issuer of likelyFirst(lowest, request.material.named(lowest.issuer))) {
    // RFC 4158, 2.4.2: the same name with the same key again is a loop.
    if (path.some((certificate) => isSameEntity(certificate, issuer))) continue
    const digest = issuedBy(lowest, issuer, request.budget)
    const found = digest !== false && extend(request, [issuer, ...path], [...digests, digest])
    if (found) return found
  }
  return null
}

function issuedBy(
  certificate: Certificate,
  issuer: Certificate,
  budget: VerificationBudget,
): string | false {
  if (!sameName(certificate.issuer, issuer.subject) || !mayIssue(issuer)) return false
  return signedBy(certificate, issuer, budget)
}

/** Old anchors are of version 1, which cannot say that they are authorities; below them none may be. */
function mayIssue(issuer: Certificate): boolean {
  if (issuer.version < 3) return true
  return unlessMalformed(() => isAuthority(issuer)) === true
}

function holds(
  { at, purpose, material, budget }: PathRequest,
  path: readonly Certificate[],
  anchor: Certificate,
): boolean {
  if (!isValidPath(path, at, purpose)) return false
  return path.every((certificate, index) => {
    const authorities = [...path.slice(0, index).toReversed(), anchor]
    const isStampingKey = index === path.length - 1 && purpose === 'time-stamping'
    const revocations = revocationsOf(certificate, authorities, material, budget)
    return !revocations.some((revocation) => counts(revocation, at, isStampingKey))
  })
}

/** Told of an authority for time-stamps, these let earlier stamps stand: unspecified, affiliationChanged, superseded, cessationOfOperation. */
const orderlyReasons: ReadonlySet<number | null> = new Set([0, 3, 4, 5])

/** A revocation after the moment does not count, but for a time-stamping key that may be in other hands (RFC 3161, 4). */
function counts({ at: revokedAt, reason }: Revocation, at: Date, isStampingKey: boolean): boolean {
  return revokedAt <= at || (isStampingKey && !orderlyReasons.has(reason))
}

/** Those whose key identifier is the one that the certificate names come first (RFC 4158, 3.5.12). */
function likelyFirst(
  certificate: Certificate,
  issuers: readonly Certificate[],
): readonly Certificate[] {
  const named = unlessMalformed(() => authorityKeyIdentifier(certificate.extensions))
  if (!named || issuers.length < 2) return issuers
  const isNamed = (issuer: Certificate): boolean => {
    const own = unlessMalformed(() => subjectKeyIdentifier(issuer))
    return own !== null && sameBytes(own, named)
  }
  return [...issuers.filter(isNamed), ...issuers.filter((issuer) => !isNamed(issuer))]
}

function isSameEntity(a: Certificate, b: Certificate): boolean {
  return sameName(a.subject, b.subject) && sameBytes(a.publicKeyOctets, b.publicKeyOctets)
}
