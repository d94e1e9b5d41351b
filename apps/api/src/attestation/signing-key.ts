import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { calculateJwkThumbprint } from 'jose'
import { seal, unseal } from '../sealed.ts'

/** A public key of the service, on P-256. */
export interface PublicSigningKey {
  /** RFC 7638 thumbprint (SHA-256, base64url). */
  readonly kid: string
  /** Base64url, as in RFC 7518, 6.2.1. */
  readonly x: string
  readonly y: string
}

/** A key that attestations and certificates are signed with. */
export interface SigningKey extends PublicSigningKey {
  readonly privateKey: KeyObject
}

/**
 * Every key that ever signed, or will. A retired one stays: what it signed must verify for ever (decision 5.4).
 */
export const SigningKeyEntity = defineEntity({
  name: 'SigningKey',
  tableName: 'signing_key',
  properties: {
    kid: p.text().primary(),
    x: p.text(),
    y: p.text(),
    /** See `sealPrivateKey`; null for a key that is given as SIGNING_KEY, or whose secret half was dropped. */
    sealedPrivateKey: p.blob().nullable(),
    createdAt: p.datetime(3),
    /** Later than `createdAt` after a rotation: verifiers know the key before it signs. */
    signsFrom: p.datetime(3),
    retiredAt: p.datetime(3).nullable(),
  },
})
export type SigningKeyRow = InferEntity<typeof SigningKeyEntity>

/** Makes a new key on P-256. */
export function generateSigningKey(): Promise<SigningKey> {
  return describe(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)
}

/**
 * Reads a private key in PEM form, PKCS #8 or SEC 1.
 *
 * @throws when it is not an unencrypted private key on P-256
 */
export async function signingKeyFromPem(pem: string): Promise<SigningKey> {
  return describe(readSigningPem(pem))
}

/** @throws as `signingKeyFromPem`; the message goes on after the name of what holds the key */
export function readSigningPem(pem: string): KeyObject {
  const key = readPem(pem)
  if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key
  throw new Error('must be an EC private key on the curve P-256')
}

/** The public half as verifiers use it in Node. */
export function publicKeyObject({ x, y }: PublicSigningKey): KeyObject {
  return createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } })
}

/**
 * The private key in its PKCS #8 form, sealed for the database as the secret of its id.
 *
 * @param secretsKey 32 bytes
 */
export function sealPrivateKey(key: SigningKey, secretsKey: Uint8Array): Buffer {
  return seal(key.privateKey.export({ format: 'der', type: 'pkcs8' }), secretsKey, key.kid)
}

/**
 * The inverse of `sealPrivateKey`.
 *
 * @throws when the secret is another one, or the bytes are not whole
 */
export function unsealPrivateKey(
  { kid, x, y }: PublicSigningKey,
  sealed: Uint8Array,
  secretsKey: Uint8Array,
): SigningKey {
  const pkcs8 = unseal(sealed, secretsKey, kid)
  return { kid, x, y, privateKey: createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' }) }
}

function readPem(pem: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch (cause) {
    throw new Error('must be an unencrypted private key in PEM form', { cause })
  }
}

async function describe(privateKey: KeyObject): Promise<SigningKey> {
  const { kty, crv, x, y } = createPublicKey(privateKey).export({ format: 'jwk' })
  if (kty !== 'EC' || crv !== 'P-256' || x === undefined || y === undefined) {
    throw new Error('The signing key must be an EC private key on the curve P-256')
  }
  const kid = await calculateJwkThumbprint({ kty, crv, x, y }, 'sha256')
  return { kid, x, y, privateKey }
}
