import { constants, createPublicKey, type KeyObject, publicDecrypt } from 'node:crypto'
import { digestName, newHash } from './algorithm.ts'
import type { AlgorithmIdentifier } from './algorithm-identifier.ts'
import {
  bitStringOctets,
  childAt,
  childrenOf,
  isTagged,
  oidOf,
  parseAsn1,
  smallInteger,
} from './asn1.ts'
import { sameBytes } from './malformed.ts'

export interface PssParameters {
  readonly digest: string
  /** Of the mask generation function. */
  readonly maskDigest: string
  /** Octets. */
  readonly saltLength: number
}

const mgf1 = '1.2.840.113549.1.1.8'

/** RSASSA-PSS-params of RFC 4055, 3.1; null when they name what is not known. @throws {MalformedAsn1Error} */
export function pssParameters({ parameters }: AlgorithmIdentifier): PssParameters | null {
  const fields = parameters ? childrenOf(parseAsn1(parameters).value) : []
  const field = (number: number) => {
    const found = fields.find((one) => isTagged(one, number))
    return found && childAt(found, 0)
  }
  const [hash, mask, salt, trailer] = [field(0), field(1), field(2), field(3)]
  if (mask && oidOf(childAt(mask, 0)) !== mgf1) return null
  if (trailer && smallInteger(trailer) !== 1) return null

  const digest = hash ? digestName(oidOf(childAt(hash, 0))) : 'sha1'
  const maskDigest = mask ? digestName(oidOf(childAt(childAt(mask, 1), 0))) : 'sha1'
  if (digest === null || maskDigest === null) return null
  return { digest, maskDigest, saltLength: salt ? smallInteger(salt) : 20 }
}

/**
 * EMSA-PSS-VERIFY of RFC 8017, 9.1.2, for a mask with another hash function than the message: node:crypto has one for
 * both.
 */
export function verifyPss(
  key: KeyObject,
  { digest, maskDigest, saltLength }: PssParameters,
  parts: readonly Uint8Array[],
  signature: Uint8Array,
): boolean {
  const { modulusLength: modulusBits = 0, ...allowed } = key.asymmetricKeyDetails ?? {}
  const mayBe = allowed.hashAlgorithm ?? digest
  const maskMayBe = allowed.mgf1HashAlgorithm ?? maskDigest
  if (mayBe !== digest || maskMayBe !== maskDigest) return false

  const encoded = encodedMessage(key, signature, modulusBits)
  const hashing = newHash(digest)
  for (const part of parts) hashing.update(part)
  const hash = hashing.digest()
  const dataLength = (encoded?.length ?? 0) - hash.length - 1
  if (!encoded || encoded.at(-1) !== 0xbc || dataLength < saltLength + 1) return false

  const stated = encoded.subarray(dataLength, -1)
  const unmasked = mask(stated, dataLength, maskDigest).map(
    (octet, at) => octet ^ (encoded[at] ?? 0),
  )
  const spareBits = encoded.length * 8 - (modulusBits - 1)
  if (((encoded[0] ?? 0) & ~(0xff >> spareBits)) !== 0) return false
  unmasked[0] = (unmasked[0] ?? 0) & (0xff >> spareBits)

  const salt = unmasked.subarray(dataLength - saltLength)
  const padding = unmasked.subarray(0, dataLength - saltLength)
  if (padding.at(-1) !== 1 || padding.subarray(0, -1).some((octet) => octet !== 0)) return false
  return sameBytes(
    stated,
    newHash(digest).update(new Uint8Array(8)).update(hash).update(salt).digest(),
  )
}

/** The signature to the power of the public exponent; null when it is not of the key's size. */
function encodedMessage(
  key: KeyObject,
  signature: Uint8Array,
  modulusBits: number,
): Uint8Array | null {
  try {
    const decrypted = publicDecrypt(
      { key: unrestricted(key), padding: constants.RSA_NO_PADDING },
      signature,
    )
    return decrypted.subarray(decrypted.length - Math.ceil((modulusBits - 1) / 8))
  } catch {
    return null
  }
}

/** node:crypto takes a key that is for PSS alone (RFC 4055, 1.2) to no other use: the same key as one of PKCS #1. */
function unrestricted(key: KeyObject): KeyObject {
  const info = parseAsn1(key.export({ type: 'spki', format: 'der' })).value
  const encoding = Buffer.from(bitStringOctets(childAt(info, 1)))
  return createPublicKey({ key: encoding, type: 'pkcs1', format: 'der' })
}

/** MGF1 of RFC 8017, B.2.1. */
function mask(seed: Uint8Array, length: number, digest: string): Buffer {
  const blocks: Buffer[] = []
  for (let counter = 0, have = 0; have < length; counter++) {
    const number = Buffer.alloc(4)
    number.writeUInt32BE(counter)
    const block = newHash(digest).update(seed).update(number).digest()
    blocks.push(block)
    have += block.length
  }
  return Buffer.concat(blocks, length)
}
