import { createHash, type Hash } from 'node:crypto'

/** Object identifiers of hash functions and the names by which node:crypto knows them. */
const digestNames: Readonly<Record<string, string>> = {
  '1.2.840.113549.2.5': 'md5',
  '1.3.14.3.2.26': 'sha1',
  '1.3.36.3.2.1': 'ripemd160',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
  '2.16.840.1.101.3.4.2.4': 'sha224',
  '2.16.840.1.101.3.4.2.5': 'sha512-224',
  '2.16.840.1.101.3.4.2.6': 'sha512-256',
  '2.16.840.1.101.3.4.2.7': 'sha3-224',
  '2.16.840.1.101.3.4.2.8': 'sha3-256',
  '2.16.840.1.101.3.4.2.9': 'sha3-384',
  '2.16.840.1.101.3.4.2.10': 'sha3-512',
  // RFC 8702: SHAKE256 with 512 bits of output, as Ed448 wants it.
  '2.16.840.1.101.3.4.2.12': 'shake256',
  '2.16.840.1.101.3.4.2.18': 'shake256',
}

/** The name of a hash function that may be relied on; MD5 may not. */
export function digestName(oid: string): string | null {
  const name = digestNames[oid]
  return name === undefined || name === 'md5' ? null : name
}

/** Accepted, since documents last longer than algorithms, but worth a warning. */
export function isWeakDigest(name: string): boolean {
  return name === 'sha1'
}

export function newHash(name: string): Hash {
  return name === 'shake256' ? createHash(name, { outputLength: 64 }) : createHash(name)
}

/** How a signature value is to be verified. `digest` null: the hash function is that of the signer info. */
export interface SignatureScheme {
  readonly kind: 'rsa' | 'pss' | 'ecdsa' | 'plain-ecdsa' | 'dsa' | 'ed25519' | 'ed448'
  readonly digest: string | null
}

/** RFC 3279, 4055, 5480, 5758, 8419, NIST's algorithm registry, BSI TR-03111 (plain ECDSA). */
const schemes: Readonly<Record<string, SignatureScheme>> = {
  '1.2.840.113549.1.1.1': { kind: 'rsa', digest: null },
  '1.2.840.113549.1.1.5': { kind: 'rsa', digest: 'sha1' },
  '1.3.14.3.2.29': { kind: 'rsa', digest: 'sha1' },
  '1.2.840.113549.1.1.11': { kind: 'rsa', digest: 'sha256' },
  '1.2.840.113549.1.1.12': { kind: 'rsa', digest: 'sha384' },
  '1.2.840.113549.1.1.13': { kind: 'rsa', digest: 'sha512' },
  '1.2.840.113549.1.1.14': { kind: 'rsa', digest: 'sha224' },
  '1.2.840.113549.1.1.15': { kind: 'rsa', digest: 'sha512-224' },
  '1.2.840.113549.1.1.16': { kind: 'rsa', digest: 'sha512-256' },
  '1.3.36.3.3.1.2': { kind: 'rsa', digest: 'ripemd160' },
  '2.16.840.1.101.3.4.3.13': { kind: 'rsa', digest: 'sha3-224' },
  '2.16.840.1.101.3.4.3.14': { kind: 'rsa', digest: 'sha3-256' },
  '2.16.840.1.101.3.4.3.15': { kind: 'rsa', digest: 'sha3-384' },
  '2.16.840.1.101.3.4.3.16': { kind: 'rsa', digest: 'sha3-512' },
  '1.2.840.113549.1.1.10': { kind: 'pss', digest: null },
  '1.2.840.10045.2.1': { kind: 'ecdsa', digest: null },
  '1.2.840.10045.4.1': { kind: 'ecdsa', digest: 'sha1' },
  '1.2.840.10045.4.3.1': { kind: 'ecdsa', digest: 'sha224' },
  '1.2.840.10045.4.3.2': { kind: 'ecdsa', digest: 'sha256' },
  '1.2.840.10045.4.3.3': { kind: 'ecdsa', digest: 'sha384' },
  '1.2.840.10045.4.3.4': { kind: 'ecdsa', digest: 'sha512' },
  '2.16.840.1.101.3.4.3.9': { kind: 'ecdsa', digest: 'sha3-224' },
  '2.16.840.1.101.3.4.3.10': { kind: 'ecdsa', digest: 'sha3-256' },
  '2.16.840.1.101.3.4.3.11': { kind: 'ecdsa', digest: 'sha3-384' },
  '2.16.840.1.101.3.4.3.12': { kind: 'ecdsa', digest: 'sha3-512' },
  '0.4.0.127.0.7.1.1.4.1.1': { kind: 'plain-ecdsa', digest: 'sha1' },
  '0.4.0.127.0.7.1.1.4.1.2': { kind: 'plain-ecdsa', digest: 'sha224' },
  '0.4.0.127.0.7.1.1.4.1.3': { kind: 'plain-ecdsa', digest: 'sha256' },
  '0.4.0.127.0.7.1.1.4.1.4': { kind: 'plain-ecdsa', digest: 'sha384' },
  '0.4.0.127.0.7.1.1.4.1.5': { kind: 'plain-ecdsa', digest: 'sha512' },
  '0.4.0.127.0.7.1.1.4.1.6': { kind: 'plain-ecdsa', digest: 'ripemd160' },
  '1.2.840.10040.4.1': { kind: 'dsa', digest: null },
  '1.2.840.10040.4.3': { kind: 'dsa', digest: 'sha1' },
  '2.16.840.1.101.3.4.3.1': { kind: 'dsa', digest: 'sha224' },
  '2.16.840.1.101.3.4.3.2': { kind: 'dsa', digest: 'sha256' },
  '2.16.840.1.101.3.4.3.3': { kind: 'dsa', digest: 'sha384' },
  '2.16.840.1.101.3.4.3.4': { kind: 'dsa', digest: 'sha512' },
  '1.3.101.112': { kind: 'ed25519', digest: null },
  '1.3.101.113': { kind: 'ed448', digest: null },
}

export function signatureScheme(oid: string): SignatureScheme | null {
  return schemes[oid] ?? null
}
