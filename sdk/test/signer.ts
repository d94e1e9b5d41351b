import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { PublicKey } from '../src/index.ts'

/** A key pair as the service has them. */
export interface Signer {
  readonly publicKey: PublicKey
  readonly privateKey: KeyObject
}

export function keyPair(kid: string): Signer {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  return {
    publicKey: { kty: 'EC', use: 'sig', alg: 'ES256', kid, crv: 'P-256', x, y },
    privateKey,
  }
}

/** @param encoding DER as attestations have it, or r and s side by side as a JWS (RFC 7518, 3.4) */
export function signatureOf(
  { privateKey }: Signer,
  text: string,
  encoding: 'der' | 'ieee-p1363',
): Buffer {
  return sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: encoding })
}
