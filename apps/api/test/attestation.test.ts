import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Attestation, VerificationResult } from '@pdfnorm/contracts/schema/attestation'
import { KeySet } from '@pdfnorm/contracts/schema/key-set'
import canonicalize from 'canonicalize'
import { calculateJwkThumbprint } from 'jose'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keySetMaxAgeSeconds, rotateSigningKey } from '../src/attestation/signing-keys.ts'
import { withoutOrganization } from '../src/database/transaction.ts'
import { openPlatform } from '../src/platform.ts'
import { hasOpenssl, run } from './openssl.ts'
import { pdf, pdfWithJavascript } from './pdf.ts'
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
afterAll(async () => {
  await server[Symbol.asyncDispose]()
})

async function attestationOf(reader: Submitter, sha256: string): Promise<Attestation> {
  return Attestation.parse(await (await reader.get(`/api/attestations/${sha256}`)).json())
}

async function verificationOf(reader: Submitter, sha256: string): Promise<VerificationResult> {
  return VerificationResult.parse(await (await reader.get(`/api/verify/${sha256}`)).json())
}

async function keySet(): Promise<KeySet> {
  const response = await server.fetch('/.well-known/attestation-keys.json')
  return KeySet.parse(await response.json())
}

/** What anyone with the specification does: no code of the service takes part. */
function signedBytesOf(attestation: Attestation): Buffer {
  const facts = Object.entries(attestation).filter(([name]) => name !== 'signature')
  return Buffer.from(canonicalize(Object.fromEntries(facts)) ?? '', 'utf8')
}

test('an attestation says which original became which file, by what, and what was found', async () => {
  const original = pdfWithJavascript('attested')
  const { response, sha256 } = await normalizeSuccessfully(submitter, original)
  const answer = await submitter.get(`/api/attestations/${sha256}`)
  expect(answer.headers.get('content-type')).toBe('application/ld+json')
  const attestation = Attestation.parse(await answer.json())

  expect(attestation).toMatchObject({
    '@type': 'NormalizationAttestation',
    version: '1.0',
    issuer: { name: 'pdfnorm', url: server.url },
    subject: {
      originalSha256: sha256Of(original),
      originalSizeBytes: original.length,
      normalizedSha256: sha256,
      normalizedSizeBytes: response.normalized?.sizeBytes,
      contentHash: response.normalized?.contentHash,
    },
    processing: { processingTimeMs: response.processingTimeMs },
    findings: {
      contentRemoved: ['javascript', 'open_actions'],
      warningCount: response.warnings.length,
    },
    signature: {
      algorithm: 'ECDSA-P256-SHA256',
      publicKeyCertificate: `${server.url}/.well-known/attestation-keys.json`,
    },
  })
  expect(attestation.findings.healthScore).toBeLessThan(100)
})

test('its signature verifies with the published key, and over these facts only', async () => {
  const { sha256 } = await normalizeSuccessfully(submitter, pdf({ text: 'signed' }))
  const attestation = await attestationOf(submitter, sha256)
  const { keys } = await keySet()
  const jwk = keys.find(({ kid }) => kid === attestation.issuer.publicKeyId)
  if (jwk === undefined) throw new Error('The key is not published')
  const key = createPublicKey({ format: 'jwk', key: jwk })
  const value = Buffer.from(attestation.signature.value, 'base64')

  expect(verify('sha256', signedBytesOf(attestation), key, value)).toBe(true)
  const forged = structuredClone(attestation)
  forged.subject.originalSizeBytes += 1
  expect(verify('sha256', signedBytesOf(forged), key, value)).toBe(false)
})

test.skipIf(!hasOpenssl)(
  'openssl verifies it with the key in PEM form (skipped without openssl)',
  async () => {
    const { sha256 } = await normalizeSuccessfully(submitter, pdf({ text: 'openssl' }))
    const attestation = await attestationOf(submitter, sha256)
    const pem = await server.fetch('/.well-known/pdfnorm-signing-key.pem')
    expect(pem.headers.get('content-type')).toBe('application/x-pem-file')

    const directory = await mkdtemp(join(tmpdir(), 'pdfnorm-openssl-'))
    const path = (name: string) => join(directory, name)
    await writeFile(path('key.pem'), await pem.text())
    await writeFile(path('signed'), signedBytesOf(attestation))
    await writeFile(path('value'), Buffer.from(attestation.signature.value, 'base64'))
    const { stdout } = await run('openssl', [
      'dgst',
      '-sha256',
      '-verify',
      path('key.pem'),
      '-signature',
      path('value'),
      path('signed'),
    ])
    expect(stdout).toBe('Verified OK\n')

    await writeFile(path('signed'), 'something else')
    const other = run('openssl', [
      'dgst',
      '-sha256',
      '-verify',
      path('key.pem'),
      '-signature',
      path('value'),
      path('signed'),
    ])
    await expect(other).rejects.toThrow('openssl')
    await rm(directory, { recursive: true })
  },
)

test('its context is where it says, and explains every term of it', async () => {
  const { sha256 } = await normalizeSuccessfully(submitter, pdf({ text: 'in context' }))
  const attestation = await attestationOf(submitter, sha256)
  const response = await fetch(attestation['@context'])
  expect(response.headers.get('content-type')).toBe('application/ld+json')
  expect(response.headers.get('access-control-allow-origin')).toBe('*')

  const { '@context': terms } = (await response.json()) as { '@context': Record<string, unknown> }
  expect(terms['@vocab']).toBe(`${attestation['@context']}#`)
  const named = Object.keys(terms).filter((term) => !term.startsWith('@'))
  expect(named.filter((term) => !JSON.stringify(attestation).includes(`"${term}":`))).toEqual([])
})

test('the keys are public, named by their thumbprint and cacheable for an hour', async () => {
  const response = await server.fetch('/.well-known/attestation-keys.json')
  expect(response.headers.get('cache-control')).toBe('public, max-age=3600')
  const { keys } = KeySet.parse(await response.json())

  expect(keys).toHaveLength(1)
  for (const key of keys) {
    expect(key).toEqual({
      kty: 'EC',
      use: 'sig',
      alg: 'ES256',
      kid: await calculateJwkThumbprint(key),
      crv: 'P-256',
      x: key.x,
      y: key.y,
    })
  }
})

test('an organization’s first success stands, and another organization has its own', async () => {
  const other = await registerSubmitter(server)
  const document = pdf({ text: 'first come' })
  const { sha256 } = await normalizeSuccessfully(submitter, document)
  const first = await attestationOf(submitter, sha256)
  await problem(other.get(`/api/attestations/${sha256}`), 404, 'NOT_FOUND')

  // Another original of the same output: trailing bytes are not kept.
  const variant = Buffer.concat([document, Buffer.from('\n\n')])
  const again = await normalizeSuccessfully(submitter, variant)
  expect(again.sha256).toBe(sha256)
  expect(await attestationOf(submitter, sha256)).toEqual(first)

  await normalizeSuccessfully(other, variant)
  const theirs = await attestationOf(other, sha256)
  expect(theirs.attestationId).not.toBe(first.attestationId)
  expect(theirs.subject.originalSha256).toBe(sha256Of(variant))
})

test('malformed and unknown hashes are refused', async () => {
  for (const path of ['attestations', 'verify', 'certificates']) {
    const malformed = await problem(submitter.get(`/api/${path}/xyz`), 400, 'INVALID_SHA256')
    expect(malformed.errors?.map(({ location }) => location)).toEqual(['path.normalizedSha256'])
    await problem(submitter.get(`/api/${path}/${'f'.repeat(64)}`), 404, 'NOT_FOUND')
    await problem(server.fetch(`/api/${path}/${'f'.repeat(64)}`), 401, 'MISSING_CREDENTIALS')
  }
})

describe('verification', () => {
  async function verified(text: string) {
    const { sha256 } = await normalizeSuccessfully(submitter, pdf({ text }))
    const { attestationId, issuedAt } = await attestationOf(submitter, sha256)
    return { sha256, sound: { attestationId, normalizedSha256: sha256, issuedAt } }
  }

  test('passes for what was attested and is still there', async () => {
    const { sha256, sound } = await verified('sound')

    expect(await verificationOf(submitter, sha256)).toEqual({ valid: true, ...sound, reason: null })
  })

  test('finds bytes that have changed, and bytes that are gone', async () => {
    const { sha256, sound } = await verified('changed')
    const { objects } = server.platform
    const keys = await objects.list('ca-central-1', 'artifacts/')
    const key = keys.find((name) => name.includes(sha256)) ?? ''
    await objects.put('ca-central-1', key, Buffer.from('%PDF-1.7 other bytes'))
    expect(await verificationOf(submitter, sha256)).toEqual({
      valid: false,
      ...sound,
      reason: 'hash_mismatch',
    })

    await objects.delete('ca-central-1', key)
    expect((await verificationOf(submitter, sha256)).reason).toBe('artifact_missing')
  })

  test('finds facts that have changed', async () => {
    const { sha256 } = await verified('forged')
    await server.database.query(
      `update attestation set document = jsonb_set(document::jsonb, '{findings,healthScore}', '1')
       where normalized_sha256 = $1`,
      [sha256],
    )

    expect(await verificationOf(submitter, sha256)).toMatchObject({
      valid: false,
      reason: 'signature_invalid',
    })
  })

  test('finds a key that was never the service’s', async () => {
    const { sha256 } = await verified('foreign key')
    await server.database.query(
      `update attestation
       set document = jsonb_set(document::jsonb, '{issuer,publicKeyId}', '"unknown"')
       where normalized_sha256 = $1`,
      [sha256],
    )

    expect((await verificationOf(submitter, sha256)).reason).toBe('key_unknown')
  })
})

describe('the signing key', () => {
  const kidNow = (at: TestServer) =>
    withoutOrganization(
      at.platform.orm,
      async (em) => (await at.platform.signingKeys.current(em)).kid,
    )

  test('is the same after a restart, and is stored encrypted', async () => {
    const again = await openPlatform(server.config, server.database.connection, {
      clock: server.clock,
      log: pino({ level: 'silent' }),
    })
    const kid = await withoutOrganization(
      again.orm,
      async (em) => (await again.signingKeys.current(em)).kid,
    )
    await again[Symbol.asyncDispose]()
    const rows = await server.database.query<{ sealed_private_key: Buffer }>(
      'select sealed_private_key from signing_key',
    )
    const { privateKey } = await withoutOrganization(server.platform.orm, (em) =>
      server.platform.signingKeys.current(em),
    )
    const secret = Buffer.from(privateKey.export({ format: 'jwk' }).d ?? '', 'base64url')

    expect(kid).toBe(await kidNow(server))
    expect(secret).toHaveLength(32)
    expect(rows.map((row) => row.sealed_private_key.includes(secret))).toEqual([false])
  })

  test('is made once when many processes start at the same time', async () => {
    const fresh = await startTestServer()
    await fresh.database.query('delete from signing_key')
    const platforms = await Promise.all(
      Array.from({ length: 4 }, () =>
        openPlatform(fresh.config, fresh.database.connection, {
          log: pino({ level: 'silent' }),
        }),
      ),
    )
    const rows = await fresh.database.query('select kid from signing_key')
    for (const platform of platforms) await platform[Symbol.asyncDispose]()

    expect(rows).toHaveLength(1)
    await fresh[Symbol.asyncDispose]()
  })

  test('after a rotation is published before it signs; what the former one signed still verifies', async () => {
    const own = await startTestServer()
    const signer = await registerSubmitter(own)
    const former = await kidNow(own)
    const before = await normalizeSuccessfully(signer, pdf({ text: 'before' }))
    const { kid } = await rotateSigningKey(own.platform)

    const published = KeySet.parse(
      await (await own.fetch('/.well-known/attestation-keys.json')).json(),
    )
    expect(published.keys.map((key) => key.kid)).toEqual([kid, former])
    expect(await kidNow(own)).toBe(former)

    own.clock.advance(keySetMaxAgeSeconds * 1000)
    const after = await normalizeSuccessfully(signer, pdf({ text: 'after' }))
    const { issuer } = await attestationOf(signer, after.sha256)
    expect(issuer.publicKeyId).toBe(kid)
    expect((await verificationOf(signer, after.sha256)).valid).toBe(true)
    expect((await verificationOf(signer, before.sha256)).valid).toBe(true)
    await own[Symbol.asyncDispose]()
  })

  test('can be the operator’s own', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
    const own = await startTestServer({ environment: { SIGNING_KEY: pem } })
    const signer = await registerSubmitter(own)
    const { sha256 } = await normalizeSuccessfully(signer, pdf({ text: 'own key' }))
    const attestation = await attestationOf(signer, sha256)

    const value = Buffer.from(attestation.signature.value, 'base64')
    expect(verify('sha256', signedBytesOf(attestation), publicKey, value)).toBe(true)
    const rows = await own.database.query('select sealed_private_key from signing_key')
    expect(rows).toEqual([{ sealed_private_key: null }])
    await own[Symbol.asyncDispose]()
  })
})

test.skipIf(!hasOpenssl)(
  'an attestation names the set of trust anchors that signatures were judged by (skipped without openssl)',
  async () => {
    const directory = await mkdtemp(join(tmpdir(), 'pdfnorm-anchors-'))
    const path = join(directory, 'anchor.pem')
    const key = ['-newkey', 'ed25519', '-nodes', '-keyout', join(directory, 'key.pem')]
    await run('openssl', ['req', '-x509', ...key, '-subj', '/CN=Anchor', '-out', path])
    const judging = await startTestServer({
      environment: { TRUST_ANCHORS: path },
    })
    const other = await registerSubmitter(judging)

    const original = pdf({ text: 'judged' })
    const [named, unnamed] = [
      await attestationOf(other, (await normalizeSuccessfully(other, original)).sha256),
      await attestationOf(submitter, (await normalizeSuccessfully(submitter, original)).sha256),
    ]
    expect(named.processing.toolchainVersion).toMatch(/ trust-anchors\/[0-9a-f]{64}$/)
    expect(unnamed.processing.toolchainVersion).not.toContain('trust-anchors')
    expect(named.subject.normalizedSha256).toBe(unnamed.subject.normalizedSha256)
    await judging[Symbol.asyncDispose]()
    await rm(directory, { recursive: true })
  },
)
