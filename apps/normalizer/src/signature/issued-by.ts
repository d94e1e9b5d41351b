import type { AlgorithmIdentifier } from './algorithm-identifier.ts'
import type { Certificate } from './certificate.ts'
import { unlessMalformed } from './malformed.ts'
import { checkSignature } from './signature-value.ts'

/** What authorities sign: certificates, revocation lists, OCSP responses. */
export interface Signed {
  readonly signedPart: Uint8Array
  readonly signatureAlgorithm: AlgorithmIdentifier
  readonly signature: Uint8Array
}

/** How many steps may still be made for one document: signatures of authorities verified, paths extended. */
export interface VerificationBudget {
  remaining: number
}

/** The answers, kept with what they are about. */
const answers = new WeakMap<Signed, Map<Certificate, string | false>>()

/**
 * Whether the certificate's key made the signature: the name of the hash function that it relies on, or false. Once the
 * budget is used up the answer is false.
 */
export function signedBy(
  signed: Signed,
  issuer: Certificate,
  budget: VerificationBudget,
): string | false {
  const known = answers.get(signed) ?? new Map<Certificate, string | false>()
  const before = known.get(issuer)
  if (before !== undefined) return before
  if (budget.remaining <= 0) return false
  budget.remaining--
  const answer = verify(signed, issuer)
  answers.set(signed, known.set(issuer, answer))
  return answer
}

function verify(
  { signedPart, signatureAlgorithm, signature }: Signed,
  { publicKey }: Certificate,
): string | false {
  if (!publicKey) return false
  const check = unlessMalformed(() =>
    checkSignature(publicKey, signatureAlgorithm, null, [signedPart], signature),
  )
  return check?.kind === 'verified' ? check.digest : false
}
