import { createHash } from 'node:crypto'
import { expect, describe, test } from 'vitest'
import { type Attestation, type KeySet, Pdfnorm, verifyAttestation } from '../src/index.ts'
import { scriptedService } from './scripted-service.ts'
import { keyPair, signatureOf, type Signer } from './signer.ts'

const pdf = new TextEncoder().encode('%PDF-1.7 …')
const signer = keyPair('first')
const other = keyPair('second')
const keys: KeySet = { keys: [signer.publicKey] }
const genuine = attestation(signer)

test('an attestation is given back when a published key has signed it, as an object and as text', async () => {
  expect(await verifyAttestation(genuine, { keys })).toEqual(genuine)
  expect(await verifyAttestation(JSON.stringify(genuine, null, 2), { keys, pdf })).toEqual(genuine)
})

test('an attestation is about one file', async () => {
  const changed = new TextEncoder().encode('%PDF-1.7 !')
  const verifying = verifyAttestation(genuine, { keys, pdf: changed })
  await expect(verifying).rejects.toMatchObject({ code: 'HASH_MISMATCH' })
})

test('the order of its fields and how they are written do not matter', async () => {
  const reversed = Object.fromEntries(Object.entries(genuine).reverse())
  const text = JSON.stringify(reversed).replaceAll('„', '\\u201e').replace('842', '8.42e2')
  expect(await verifyAttestation(text, { keys })).toEqual(genuine)
})

describe('an attestation is refused', () => {
  const { signature } = genuine
  const der = Buffer.from(signature.value, 'base64')
  const withValue = (value: Buffer) => ({
    ...genuine,
    signature: { ...signature, value: value.toString('base64') },
  })
  let deep: unknown = null
  for (let level = 0; level < 5000; level++) deep = [deep]

  test.each<[string, unknown]>([
    [
      'when a hash was changed',
      { ...genuine, subject: { ...genuine.subject, originalSha256: '1' } },
    ],
    ['when a field was added', { ...genuine, note: 'harmless' }],
    ['when a field was taken away', { ...genuine, findings: undefined }],
    ['when another key signed it', attestation(other, 'first')],
    ['when its key is not published', attestation(other)],
    [
      'when its signature is another algorithm',
      { ...genuine, signature: { ...signature, algorithm: 'none' } },
    ],
    [
      'when its signature is r and s side by side',
      withValue(signatureOf(signer, 'x', 'ieee-p1363')),
    ],
    ['when its signature is cut', withValue(der.subarray(0, -1))],
    ['when its signature is longer', withValue(Buffer.concat([der, Buffer.of(0)]))],
    ['when its signature is empty', withValue(Buffer.alloc(0))],
    ['when its signature has no integers', withValue(Buffer.of(0x30, 0))],
    ['when it is nested without end', { ...genuine, deep }],
    ['when it is something else', { '@type': 'Invoice' }],
    ['when it is nothing', null],
    ['when it is not JSON', '{'],
  ])('%s', async (_why, document) => {
    const verifying = verifyAttestation(document as Attestation, { keys, pdf })
    await expect(verifying).rejects.toMatchObject({
      name: 'VerificationError',
      code: 'ATTESTATION_INVALID',
    })
  })
})

test('signatures of every length of their integers verify', async () => {
  for (let round = 0; round < 50; round++) {
    const document = attestation(signer)
    expect(await verifyAttestation(document, { keys })).toEqual(document)
  }
})

test('the client verifies an attestation with the published keys', async () => {
  const { baseUrl, received } = await scriptedService(() => ({ body: keys }))
  const pdfnorm = new Pdfnorm({ baseUrl })
  expect(await pdfnorm.verifyAttestation(genuine, { pdf })).toEqual(genuine)
  expect(await pdfnorm.verifyAttestation(JSON.stringify(genuine))).toEqual(genuine)
  expect(received).toHaveLength(1)
})

function attestation(by: Signer, publicKeyId = by.publicKey.kid): Attestation {
  const document: Omit<Attestation, 'signature'> = {
    '@context': 'https://pdfnorm.example/docs/contexts/attestation-v1',
    '@type': 'NormalizationAttestation',
    version: '1.0',
    attestationId: '0199c8a4-8b32-7e44-a1c9-5d6e7f809112',
    issuedAt: '2026-11-01T09:30:00.900Z',
    issuer: { name: 'pdfnorm „GmbH“ 😀 \u2028', url: 'https://pdfnorm.example', publicKeyId },
    subject: {
      originalSha256: '0'.repeat(64),
      originalSizeBytes: 51344,
      normalizedSha256: createHash('sha256').update(pdf).digest('hex'),
      normalizedSizeBytes: pdf.length,
      contentHash: null,
    },
    processing: {
      toolchainVersion: 'node/24',
      structuralToolVersion: 'pdfnorm/1',
      pipelineSpec: '1',
      containerImageDigest: 'none',
      processingTimeMs: 842,
    },
    findings: {
      healthScore: 77,
      contentRemoved: ['javascript'],
      structuralRepairs: [],
      warningCount: 1,
    },
  }
  const value = signatureOf(by, sorted(document), 'der').toString('base64')
  const publicKeyCertificate = 'https://pdfnorm.example/.well-known/attestation-keys.json'
  return {
    ...document,
    signature: { algorithm: 'ECDSA-P256-SHA256', value, publicKeyCertificate },
  }
}

/** All of this document's names are ASCII, so sorting them is all that canonical JSON asks. */
function sorted(document: object): string {
  return JSON.stringify(document, (_name, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}
