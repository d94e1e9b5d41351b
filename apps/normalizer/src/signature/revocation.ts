import { allowsUse, extendedKeyUsage } from './certificate-extension.ts'
import type { Certificate } from './certificate.ts'
import { sameName } from './distinguished-name.ts'
import { signedBy, type VerificationBudget } from './issued-by.ts'
import { unlessMalformed } from './malformed.ts'
import { type OcspResponse, statedRevocation } from './ocsp-response.ts'
import { listedRevocation, type Revocation, type RevocationList } from './revocation-list.ts'
import type { ValidationMaterial } from './validation-material.ts'

const certificateHold = 6
const removeFromList = 8
const ocspSigning = '1.3.6.1.5.5.7.3.9'

/**
 * The revocations of a certificate that an authority states in what the document brings. That its status is not known is
 * none. A hold counts unless a later list no longer has it.
 *
 * @param authorities the certificate's issuer and those above it in the path
 */
export function revocationsOf(
  certificate: Certificate,
  authorities: readonly Certificate[],
  material: ValidationMaterial,
  budget: VerificationBudget,
): Revocation[] {
  const [issuer] = authorities
  if (!issuer) return []
  return [
    ...listRevocations(certificate, authorities, material, budget),
    ...ocspRevocations(certificate, issuer, material, budget),
  ]
}

function listRevocations(
  certificate: Certificate,
  authorities: readonly Certificate[],
  material: ValidationMaterial,
  budget: VerificationBudget,
): Revocation[] {
  const lists = material.revocationLists
    .filter(({ issuer, indirect }) => indirect || sameName(issuer, certificate.issuer))
    .map((list) => ({
      list,
      revocation: unlessMalformed(() => listedRevocation(list, certificate)),
    }))
  const revoking = lists.filter(
    ({ list, revocation }) =>
      revocation !== null &&
      revocation.reason !== removeFromList &&
      isAuthentic(list, authorities, material, budget),
  )
  return revoking.flatMap(({ list, revocation }) => {
    const lifted =
      revocation?.reason === certificateHold &&
      lists.some(
        (later) =>
          later.list.thisUpdate > list.thisUpdate &&
          (later.revocation?.reason === removeFromList ||
            (later.revocation === null && later.list.complete)) &&
          isAuthentic(later.list, authorities, material, budget),
      )
    return revocation && !lifted ? [revocation] : []
  })
}

/** The list is the issuer's, made with its key or with one of its name that it, or who is above it, certifies. */
function isAuthentic(
  list: RevocationList,
  authorities: readonly Certificate[],
  material: ValidationMaterial,
  budget: VerificationBudget,
): boolean {
  const maySign = (signer: Certificate): boolean =>
    sameName(signer.subject, list.issuer) &&
    unlessMalformed(() => allowsUse(signer, 'crlSign')) === true &&
    signedBy(list, signer, budget) !== false
  if (authorities.some(maySign)) return true
  return material
    .named(list.issuer)
    .some(
      (signer) =>
        maySign(signer) &&
        authorities.some((authority) => signedBy(signer, authority, budget) !== false),
    )
}

function ocspRevocations(
  certificate: Certificate,
  issuer: Certificate,
  material: ValidationMaterial,
  budget: VerificationBudget,
): Revocation[] {
  return material.ocspResponses.flatMap((response) => {
    const stated = statedRevocation(response, certificate, issuer)
    if (stated === null || stated === 'good') return []
    return isResponder(response, issuer, budget) ? [stated] : []
  })
}

/** RFC 6960, 4.2.2.2: the issuer itself, or one that the issuer appointed. */
function isResponder(
  response: OcspResponse,
  issuer: Certificate,
  budget: VerificationBudget,
): boolean {
  if (signedBy(response, issuer, budget) !== false) return true
  return response.certificates.some(
    (responder) =>
      unlessMalformed(() => extendedKeyUsage(responder))?.includes(ocspSigning) === true &&
      signedBy(responder, issuer, budget) !== false &&
      signedBy(response, responder, budget) !== false,
  )
}
