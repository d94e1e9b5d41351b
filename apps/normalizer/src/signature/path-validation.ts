import {
  allowsUse,
  basicConstraints,
  extendedKeyUsage,
  extensionId,
  hasUnknownCritical,
} from './certificate-extension.ts'
import type { Certificate } from './certificate.ts'
import { unlessMalformed } from './malformed.ts'
import { type NameConstraints, nameConstraints, namesAllowed } from './name-constraints.ts'
import { isSelfIssued, policiesAllow } from './policy-graph.ts'

/** What the certificate at the end of a path is asked for. */
export type CertificatePurpose = 'document signing' | 'time-stamping'

/**
 * Validates a path as RFC 5280, 6.1, asks for, but for signatures, names and revocation, which were looked at when it
 * was built.
 *
 * @param path from the certificate that the anchor issued to the signer's
 * @param at the moment for which all certificates have to be in force
 */
export function isValidPath(
  path: readonly Certificate[],
  at: Date,
  purpose: CertificatePurpose,
): boolean {
  // An extension that cannot be read is one that cannot be honoured.
  const valid = unlessMalformed(() => {
    const signer = path.at(-1)
    return (
      signer !== undefined &&
      path.every((certificate) => isInForce(certificate, at) && !hasUnknownCritical(certificate)) &&
      authoritiesMayIssue(path) &&
      namesArePermitted(path) &&
      policiesAllow(path) &&
      isFitFor(signer, purpose)
    )
  })
  return valid === true
}

export function isInForce({ notBefore, notAfter }: Certificate, at: Date): boolean {
  return notBefore <= at && at <= notAfter
}

/** 6.1.4, k and n: whether the key may sign certificates. Versions 1 and 2 cannot say so. @throws {MalformedAsn1Error} */
export function isAuthority(certificate: Certificate): boolean {
  return basicConstraints(certificate)?.authority === true && allowsUse(certificate, 'keyCertSign')
}

/** 6.1.4, k to n. */
function authoritiesMayIssue(path: readonly Certificate[]): boolean {
  let allowedBelow = Infinity
  for (const authority of path.slice(0, -1)) {
    if (!isAuthority(authority)) return false
    if (!isSelfIssued(authority) && allowedBelow-- <= 0) return false
    allowedBelow = Math.min(allowedBelow, basicConstraints(authority)?.pathLength ?? Infinity)
  }
  return true
}

/** 6.1.3, b and c, and 6.1.4, g. */
function namesArePermitted(path: readonly Certificate[]): boolean {
  const constraints: NameConstraints[] = []
  for (const [index, certificate] of path.entries()) {
    const counts = index === path.length - 1 || !isSelfIssued(certificate)
    if (counts && !namesAllowed(certificate, constraints)) return false
    const own = nameConstraints(certificate)
    if (own) constraints.push(own)
  }
  return true
}

const timeStamping = '1.3.6.1.5.5.7.3.8'
/** serverAuth, codeSigning, timeStamping, OCSPSigning: a key for these alone is not for documents (RFC 5280, 4.2.1.12). */
const otherPurposes: ReadonlySet<string> = new Set([
  '1.3.6.1.5.5.7.3.1',
  '1.3.6.1.5.5.7.3.3',
  timeStamping,
  '1.3.6.1.5.5.7.3.9',
])

function isFitFor(certificate: Certificate, purpose: CertificatePurpose): boolean {
  if (!allowsUse(certificate, 'digitalSignature', 'nonRepudiation')) return false
  if (purpose === 'time-stamping') return isForTimeStamping(certificate)
  const purposes = extendedKeyUsage(certificate)
  return purposes === null || purposes.some((one) => !otherPurposes.has(one))
}

/** RFC 3161, 2.3: for time-stamping alone, and critically so. @throws {MalformedAsn1Error} */
export function isForTimeStamping(certificate: Certificate): boolean {
  const purposes = extendedKeyUsage(certificate)
  const critical = certificate.extensions.get(extensionId.extendedKeyUsage)?.critical
  return critical === true && purposes?.length === 1 && purposes[0] === timeStamping
}
