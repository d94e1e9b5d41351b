import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Attestation } from '@pdfnorm/contracts/schema/attestation'
import { CertificateClaims, CertificateHeader } from '@pdfnorm/contracts/schema/certificate'
import { compactVerify, createLocalJWKSet, createRemoteJWKSet, errors } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hasOpenssl, run } from './openssl.ts'
import { pdf } from './pdf.ts'
import { startTestServer, type TestServer } from './server.ts'
import {
  normalizeSuccessfully,
  problem,
  registerSubmitter,
  sha256Of,
  type Submitter,
} from './submitter.ts'

let server: TestServer
let submitter: Submitter
beforeAll(async () => {
  server = await startTestServer()
  submitter = await registerSubmitter(server)
})
afterAll(() => server[Symbol.asyncDispose]())

const publishedKeys = () =>
  createRemoteJWKSet(new URL(`${server.url}/.well-known/attestation-keys.json`))

test('a certificate verifies with the published keys and carries the facts of its attestation', async () => {
  const original = pdf({ text: 'certified' })
  const { response, sha256 } = await normalizeSuccessfully(submitter, original)
  const answer = await submitter.get(`/api/certificates/${sha256}`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/jose+json')

  const { payload, protectedHeader } = await compactVerify(await answer.text(), publishedKeys())
  const attestation = Attestation.parse(
    await (await submitter.get(`/api/attestations/${sha256}`)).json(),
  )
  expect(CertificateHeader.parse(protectedHeader)).toEqual({
    alg: 'ES256',
    kid: attestation.issuer.publicKeyId,
    typ: 'normalization-certificate+jwt',
  })
  const claims: unknown = JSON.parse(new TextDecoder().decode(payload))
  expect(CertificateClaims.parse(claims)).toEqual(claims)
  expect(claims).toEqual({
    iss: server.url,
    sub: `sha256:${sha256}`,
    jti: attestation.attestationId,
    iat: Math.floor(Date.parse(attestation.issuedAt) / 1000),
    originalSha256: sha256Of(original),
    normalizedSha256: sha256,
    originalSizeBytes: original.length,
    normalizedSizeBytes: response.normalized?.sizeBytes,
    contentHash: response.normalized?.contentHash,
    processedAt: attestation.issuedAt,
    pipelineVersion: attestation.processing.pipelineSpec,
  })
})

test.skipIf(!hasOpenssl)(
  'openssl verifies it too, with the key in PEM form (skipped without openssl)',
  async () => {
    const { sha256 } = await normalizeSuccessfully(submitter, pdf({ text: 'openssl' }))
    const certificate = await (await submitter.get(`/api/certificates/${sha256}`)).text()
    const pem = await (await server.fetch('/.well-known/pdfnorm-signing-key.pem')).text()
    const at = certificate.lastIndexOf('.')

    const directory = await mkdtemp(join(tmpdir(), 'pdfnorm-openssl-'))
    const path = (name: string) => join(directory, name)
    await writeFile(path('key.pem'), pem)
    await writeFile(path('signed'), certificate.slice(0, at))
    await writeFile(path('signature'), derOf(Buffer.from(certificate.slice(at + 1), 'base64url')))
    const { stdout } = await run('openssl', [
      'dgst',
      '-sha256',
      '-verify',
      path('key.pem'),
      '-signature',
      path('signature'),
      path('signed'),
    ])
    expect(stdout).toBe('Verified OK\n')
    await rm(directory, { recursive: true })
  },
)

/** A JWS has r and s side by side (RFC 7518, 3.4); openssl takes them as a DER sequence (RFC 3279, 2.2.3). */
function derOf(signature: Buffer): Buffer {
  const integers = [signature.subarray(0, 32), signature.subarray(32)].map((half) => {
    const digits = half.subarray(half.findIndex((byte) => byte !== 0))
    const positive = (digits[0] ?? 0) > 0x7f ? Buffer.concat([Buffer.from([0]), digits]) : digits
    return Buffer.concat([Buffer.from([0x02, positive.length]), positive])
  })
  const content = Buffer.concat(integers)
  return Buffer.concat([Buffer.from([0x30, content.length]), content])
}

test('a certificate with other claims does not verify, nor one with other keys', async () => {
  const { sha256 } = await normalizeSuccessfully(submitter, pdf({ text: 'not forged' }))
  const certificate = await (await submitter.get(`/api/certificates/${sha256}`)).text()
  const [header, payload, signature] = certificate.split('.')
  const claims = Buffer.from(payload ?? '', 'base64url').toString()
  const forged = Buffer.from(claims.replace(sha256, '0'.repeat(64))).toString('base64url')

  await expect(
    compactVerify(`${header}.${forged}.${signature}`, publishedKeys()),
  ).rejects.toBeInstanceOf(errors.JWSSignatureVerificationFailed)
  await expect(compactVerify(certificate, createLocalJWKSet({ keys: [] }))).rejects.toBeInstanceOf(
    errors.JWKSNoMatchingKey,
  )
})

test('a certificate is always the same text, and no other organization’s', async () => {
  const other = await registerSubmitter(server)
  const { sha256 } = await normalizeSuccessfully(submitter, pdf({ text: 'stable' }))
  const first = await (await submitter.get(`/api/certificates/${sha256}`)).text()
  const second = await (await submitter.get(`/api/certificates/${sha256}`)).text()

  expect(second).toBe(first)
  await problem(other.get(`/api/certificates/${sha256}`), 404, 'NOT_FOUND')
})
