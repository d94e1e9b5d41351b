import { generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto'
import { calculateJwkThumbprint } from 'jose'
import { expect, test } from 'vitest'
import {
  generateSigningKey,
  publicKeyObject,
  sealPrivateKey,
  signingKeyFromPem,
  unsealPrivateKey,
} from './signing-key.ts'

test('the id of a key is its RFC 7638 thumbprint', async () => {
  const { kid, x, y } = await generateSigningKey()

  expect(kid).toBe(await calculateJwkThumbprint({ kty: 'EC', crv: 'P-256', x, y }))
})

test('a sealed key signs as before once it is opened with the same secret', async () => {
  const secret = randomBytes(32)
  const key = await generateSigningKey()
  const opened = unsealPrivateKey(key, sealPrivateKey(key, secret), secret)
  const message = Buffer.from('the same')

  const signature = sign('sha256', message, opened.privateKey)
  expect(verify('sha256', message, publicKeyObject(key), signature)).toBe(true)
})

test('a sealed key opens neither with another secret, nor changed, nor in the place of another key', async () => {
  const secret = randomBytes(32)
  const key = await generateSigningKey()
  const other = await generateSigningKey()
  const sealed = sealPrivateKey(key, secret)
  const changed = Buffer.from(sealed)
  changed[40] = (changed[40] ?? 0) ^ 1

  expect(() => unsealPrivateKey(key, sealed, randomBytes(32))).toThrow('SECRETS_KEY')
  expect(() => unsealPrivateKey(key, changed, secret)).toThrow('SECRETS_KEY')
  expect(() => unsealPrivateKey(other, sealed, secret)).toThrow('SECRETS_KEY')
})

test('the private half is not in what is stored', async () => {
  const key = await generateSigningKey()
  const { d } = key.privateKey.export({ format: 'jwk' })
  const sealed = sealPrivateKey(key, randomBytes(32))

  expect(sealed.includes(Buffer.from(d ?? '', 'base64url'))).toBe(false)
})

test('a key is taken from PEM in PKCS #8 and in SEC 1 form', async () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pkcs8 = await signingKeyFromPem(
    privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  )
  const sec1 = await signingKeyFromPem(
    privateKey.export({ format: 'pem', type: 'sec1' }).toString(),
  )

  expect(sec1.kid).toBe(pkcs8.kid)
})

test('a key of another kind or curve is refused', async () => {
  const pem = (key: ReturnType<typeof generateKeyPairSync>['privateKey']) =>
    key.export({ format: 'pem', type: 'pkcs8' }).toString()

  const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey
  const ed25519 = generateKeyPairSync('ed25519').privateKey
  await expect(signingKeyFromPem(pem(p384))).rejects.toThrow('P-256')
  await expect(signingKeyFromPem(pem(ed25519))).rejects.toThrow('P-256')
  await expect(signingKeyFromPem('not a key')).rejects.toThrow('PEM')
})
