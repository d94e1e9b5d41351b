import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type KeySet, Pdfnorm, publishedKeys, verifyCertificate } from '../src/index.ts'
import { problem, scriptedService } from './scripted-service.ts'
import { keyPair, signatureOf, type Signer } from './signer.ts'

const pdf = new TextEncoder().encode('%PDF-1.7 …')
const normalizedSha256 = createHash('sha256').update(pdf).digest('hex')

const claims = {
  iss: 'https://pdfnorm.example',
  sub: `sha256:${normalizedSha256}`,
  jti: '0199c8a4-8b32-7e44-a1c9-5d6e7f809112',
  iat: 1_793_525_400,
  originalSha256: '0'.repeat(64),
  normalizedSha256,
  originalSizeBytes: 100,
  normalizedSizeBytes: pdf.length,
  contentHash: null,
  processedAt: '2026-11-01T09:30:00.000Z',
  pipelineVersion: '1',
}

const signer = keyPair('first')
const other = keyPair('second')
const keys: KeySet = { keys: [signer.publicKey] }

test('a certificate tells its claims when a published key has signed it', async () => {
  expect(await verifyCertificate(certificate(signer), { keys })).toEqual(claims)
})

test('a certificate is about one file', async () => {
  const jws = certificate(signer)
  expect(await verifyCertificate(jws, { keys, pdf })).toEqual(claims)
  await expect(
    verifyCertificate(jws, { keys, pdf: new TextEncoder().encode('%PDF-1.7 !') }),
  ).rejects.toMatchObject({ code: 'HASH_MISMATCH' })
})

describe('a certificate is refused', () => {
  const genuine = certificate(signer)
  const [header = '', payload = '', signature = ''] = genuine.split('.')
  const forgedClaims = base64url({ ...claims, originalSha256: '1'.repeat(64) })

  test.each<[string, string]>([
    ['when a claim was changed', `${header}.${forgedClaims}.${signature}`],
    ['when another key signed it', certificate(other, { kid: 'first' })],
    ['when its key is not published', certificate(other)],
    ['when it wants no algorithm', `${base64url({ alg: 'none', kid: 'first' })}.${payload}.`],
    ['when it wants another algorithm', certificate(signer, { alg: 'HS256' })],
    ['when it is another kind of JWT', certificate(signer, { typ: 'JWT' })],
    ['when it demands an extension', certificate(signer, { crit: ['exp'] })],
    ['when its subject is not its file', certificate(signer, {}, { sub: 'sha256:0' })],
    ['when it has no signature', `${header}.${payload}.`],
    ['when it has two parts', `${header}.${payload}`],
    ['when it has four parts', `${genuine}.x`],
    ['when it is not base64url', `${header}=.${payload}.${signature}`],
    ['when its header is not JSON', `AAAA.${payload}.${signature}`],
    ['when it is empty', ''],
  ])('%s', async (_why, jws) => {
    await expect(verifyCertificate(jws, { keys })).rejects.toMatchObject({
      code: 'CERTIFICATE_INVALID',
      status: null,
    })
  })
})

test('the client fetches the keys once, and again for a key that it has not seen', async () => {
  const { baseUrl, received } = await scriptedService(
    () => ({ body: { keys: [signer.publicKey] } }),
    () => ({ body: { keys: [other.publicKey, signer.publicKey] } }),
  )
  const pdfnorm = new Pdfnorm({ baseUrl })

  await pdfnorm.verifyCertificate(certificate(signer), { pdf })
  await pdfnorm.verifyCertificate(certificate(signer))
  expect(received).toHaveLength(1)
  expect(await pdfnorm.verifyCertificate(certificate(other))).toEqual(claims)
  await pdfnorm.verifyCertificate(certificate(signer))
  expect(received).toHaveLength(2)
})

test('forged key ids do not make a verifier ask without end', async () => {
  const { baseUrl, received } = await scriptedService(() => ({
    body: { keys: [signer.publicKey] },
  }))
  const pdfnorm = new Pdfnorm({ baseUrl })
  await pdfnorm.verifyCertificate(certificate(signer))
  for (const kid of ['a', 'b', 'c']) {
    const forged = pdfnorm.verifyCertificate(certificate(signer, { kid }))
    await expect(forged).rejects.toMatchObject({ code: 'CERTIFICATE_INVALID' })
  }
  expect(received).toHaveLength(2)
})

test('several verifications at once fetch the keys once, and a failed fetch is not kept', async () => {
  const { baseUrl, received } = await scriptedService(
    () => problem(503, 'UNAVAILABLE'),
    () => ({ body: { keys: [signer.publicKey] } }),
  )
  const pdfnorm = new Pdfnorm({ baseUrl, maxRetries: 0 })
  const verify = () => pdfnorm.verifyCertificate(certificate(signer))
  await expect(verify()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await Promise.all([verify(), verify(), verify()])
  expect(received).toHaveLength(2)
})

test('without a client the keys come from the address of the service', async () => {
  const { baseUrl, received } = await scriptedService(
    () => ({ body: { keys: [signer.publicKey] } }),
    () => ({ status: 404, body: '<h1>Not here</h1>' }),
  )
  const jws = certificate(signer)
  const published = publishedKeys(`${baseUrl}/`)
  expect(await verifyCertificate(jws, { keys: published })).toEqual(claims)
  expect(await verifyCertificate(jws, { keys: published, pdf: new Blob([pdf]) })).toEqual(claims)
  expect(received.map(({ url }) => url)).toEqual(['/.well-known/attestation-keys.json'])
  const elsewhere = verifyCertificate(jws, { keys: publishedKeys(baseUrl) })
  await expect(elsewhere).rejects.toMatchObject({ code: 'UNEXPECTED_ANSWER', status: 404 })
})

test('waiting for a verification can be given up', async () => {
  const { baseUrl } = await scriptedService(() => 'hang')
  const signal = AbortSignal.abort(new Error('no longer wanted'))
  const verifying = new Pdfnorm({ baseUrl }).verifyCertificate(certificate(signer), { signal })
  await expect(verifying).rejects.toThrow('no longer wanted')
})

function certificate(signer: Signer, header = {}, body = {}): string {
  const typ = 'normalization-certificate+jwt'
  const head = base64url({ alg: 'ES256', kid: signer.publicKey.kid, typ, ...header })
  const signed = `${head}.${base64url({ ...claims, ...body })}`
  return `${signed}.${signatureOf(signer, signed, 'ieee-p1363').toString('base64url')}`
}

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
