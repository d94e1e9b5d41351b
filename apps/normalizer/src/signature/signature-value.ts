import {
  constants,
  createVerify,
  type KeyObject,
  type Verify,
  verify,
  type VerifyKeyObjectInput,
} from 'node:crypto'
import { digestName, type SignatureScheme, signatureScheme } from './algorithm.ts'
import type { AlgorithmIdentifier } from './algorithm-identifier.ts'
import { pssParameters, verifyPss } from './rsa-pss.ts'

/** `unsupported` names the algorithm that is unknown, too weak, or does not fit the rest. */
export type SignatureCheck =
  | { readonly kind: 'verified'; readonly digest: string }
  | { readonly kind: 'mismatch' }
  | { readonly kind: 'unsupported'; readonly oid: string }

/**
 * Checks a signature value with node:crypto.
 *
 * @param digestOid the hash function of the signer info, which that of the algorithm has to be where it names one too;
 *   null for certificates and their like, where only the algorithm names it
 * @param parts what is signed, not its digest
 * @throws {MalformedAsn1Error}
 */
export function checkSignature(
  key: KeyObject,
  algorithm: AlgorithmIdentifier,
  digestOid: string | null,
  parts: readonly Uint8Array[],
  signature: Uint8Array,
): SignatureCheck {
  const unsupported = { kind: 'unsupported', oid: algorithm.oid } as const
  const scheme = signatureScheme(algorithm.oid)
  const stated = digestOid === null ? null : digestName(digestOid)
  if (!scheme) return unsupported
  if (digestOid !== null && stated === null) return { kind: 'unsupported', oid: digestOid }
  if (scheme.digest !== null && stated !== null && scheme.digest !== stated) return unsupported
  // Of another kind, the key would be taken for what it is, whatever the algorithm says.
  if (!keyTypes[scheme.kind].includes(key.asymmetricKeyType)) return { kind: 'mismatch' }
  // Shorter keys can be factored.
  if ((key.asymmetricKeyDetails?.modulusLength ?? Infinity) < 1024) return unsupported

  if (scheme.kind === 'ed25519' || scheme.kind === 'ed448') {
    // RFC 8419, 3.1: Ed448 goes with SHAKE256 of 512 bits and with nothing else.
    const isFit = scheme.kind === 'ed25519' || stated === null || stated === 'shake256'
    return isFit ? verified(null, parts, { key }, signature, stated ?? 'sha512') : unsupported
  }
  if (scheme.kind === 'pss') {
    const parameters = pssParameters(algorithm)
    if (!parameters || (stated !== null && stated !== parameters.digest)) return unsupported
    const { digest, maskDigest, saltLength } = parameters
    if (digest !== maskDigest) {
      const holds = verifyPss(key, parameters, parts, signature)
      return holds ? { kind: 'verified', digest } : { kind: 'mismatch' }
    }
    const padding = constants.RSA_PKCS1_PSS_PADDING
    return verified(digest, parts, { key, padding, saltLength }, signature, digest)
  }

  const digest = scheme.digest ?? stated
  if (digest === null) return unsupported
  const form = scheme.kind === 'plain-ecdsa' ? ({ dsaEncoding: 'ieee-p1363' } as const) : {}
  return verified(digest, parts, { key, ...form }, signature, digest)
}

const keyTypes: Readonly<
  Record<SignatureScheme['kind'], readonly KeyObject['asymmetricKeyType'][]>
> = {
  rsa: ['rsa'],
  pss: ['rsa', 'rsa-pss'],
  ecdsa: ['ec'],
  'plain-ecdsa': ['ec'],
  dsa: ['dsa'],
  ed25519: ['ed25519'],
  ed448: ['ed448'],
}

function verified(
  algorithm: string | null,
  parts: readonly Uint8Array[],
  key: VerifyKeyObjectInput,
  signature: Uint8Array,
  digest: string,
): SignatureCheck {
  try {
    // Edwards curves sign the data itself, which therefore has to be in one piece.
    const holds =
      algorithm === null
        ? verify(null, Buffer.concat(parts), key, signature)
        : updated(createVerify(algorithm), parts).verify(key, signature)
    return holds ? { kind: 'verified', digest } : { kind: 'mismatch' }
  } catch {
    // A key of another kind, or a value that is not of the form that its algorithm gives it.
    return { kind: 'mismatch' }
  }
}

function updated(verifier: Verify, parts: readonly Uint8Array[]): Verify {
  for (const part of parts) verifier.update(part)
  return verifier
}
