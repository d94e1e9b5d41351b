import { constants, type KeyObject, verify, type VerifyKeyObjectInput } from 'node:crypto'
import { childAt, childrenOf, contentOf, isTagged } from './asn1.ts'
import { digestName, signatureScheme } from './algorithm.ts'
import { type AlgorithmIdentifier, algorithmIdentifier } from './cms.ts'

/** `unsupported` names the algorithm that is unknown, too weak, or does not fit the rest. */
export type SignatureCheck =
  | { readonly kind: 'verified'; readonly digest: string }
  | { readonly kind: 'mismatch' }
  | { readonly kind: 'unsupported'; readonly oid: string }

/**
 * Checks a signature value with node:crypto.
 *
 * @param digestOid the hash function of the signer info; the algorithm may name its own, which has to be the same
 * @param data what is signed, not its digest
 */
export function checkSignature(
  key: KeyObject,
  algorithm: Pick<AlgorithmIdentifier, 'oid' | 'parameters'>,
  digestOid: string,
  data: Uint8Array,
  signature: Uint8Array,
): SignatureCheck {
  const unsupported = { kind: 'unsupported', oid: algorithm.oid } as const
  const scheme = signatureScheme(algorithm.oid)
  const digest = digestName(digestOid)
  if (!scheme) return unsupported
  if (digest === null) return { kind: 'unsupported', oid: digestOid }
  if (scheme.digest !== null && scheme.digest !== digest) return unsupported
  // Shorter keys can be factored.
  if ((key.asymmetricKeyDetails?.modulusLength ?? Infinity) < 1024) return unsupported

  switch (scheme.kind) {
    case 'eddsa':
      // RFC 8419, 3.1: Ed448 goes with SHAKE256 of 512 bits and with nothing else.
      if (key.asymmetricKeyType === 'ed448' && digest !== 'shake256') return unsupported
      return verified(null, data, { key }, signature, digest)
    case 'pss': {
      const saltLength = pssSaltLength(algorithm, digest)
      if (saltLength === null) return unsupported
      const padding = constants.RSA_PKCS1_PSS_PADDING
      return verified(digest, data, { key, padding, saltLength }, signature, digest)
    }
    case 'plain-ecdsa':
      return verified(digest, data, { key, dsaEncoding: 'ieee-p1363' }, signature, digest)
    case 'rsa':
      if (key.asymmetricKeyType !== 'rsa') return { kind: 'mismatch' }
      return verified(digest, data, { key }, signature, digest)
    default:
      return verified(digest, data, { key }, signature, digest)
  }
}

function verified(
  algorithm: string | null,
  data: Uint8Array,
  key: VerifyKeyObjectInput,
  signature: Uint8Array,
  digest: string,
): SignatureCheck {
  try {
    return verify(algorithm, data, key, signature)
      ? { kind: 'verified', digest }
      : { kind: 'mismatch' }
  } catch {
    // A key of another kind, or a value that is not of the form that its algorithm gives it.
    return { kind: 'mismatch' }
  }
}

/** RFC 4055, 3.1. node:crypto has one hash function for both the message and the mask. */
function pssSaltLength(
  { parameters }: Pick<AlgorithmIdentifier, 'parameters'>,
  digest: string,
): number | null {
  const fields = parameters ? childrenOf(parameters) : []
  const field = (number: number) => fields.find((one) => isTagged(one, number))
  const hash = field(0)
  const mask = field(1)
  const salt = field(2)

  const hashName = hash ? digestName(algorithmIdentifier(childAt(hash, 0)).oid) : 'sha1'
  const maskHash = mask ? digestName(algorithmIdentifier(childAt(childAt(mask, 0), 1)).oid) : 'sha1'
  if (hashName !== digest || maskHash !== digest) return null
  if (!salt) return 20
  return Buffer.from(contentOf(childAt(salt, 0))).reduce((length, byte) => length * 256 + byte, 0)
}
