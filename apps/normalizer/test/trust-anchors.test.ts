import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test, vi } from 'vitest'
import {
  readTrustAnchors,
  type TrustAnchors,
  trustAnchorsSha256,
} from '../src/signature/trust-anchors.ts'
import { makeAuthority, makeIdentity } from './fixture/pki.ts'
import { signedPdf } from './fixture/signed-pdf.ts'
import { makeCms } from './fixture/signer.ts'
import { pemBundle } from './fixture/verified-signatures.ts'

// Processes are started, and a busy machine takes its time over each.
vi.setConfig({ testTimeout: 30_000 })

const folder = mkdtempSync(join(tmpdir(), 'pdfnorm-'))
afterAll(() => rmSync(folder, { recursive: true }))

const [one, two, three] = ['One', 'Two', 'Three'].map((name) =>
  pemBundle([makeAuthority({ name })]),
)

test('a set of anchors has the same name in whatever order and files its certificates come', () => {
  const inTwo = read([file(`Some text\n${one}`), file(`${two}${one}`)])
  const inOne = read([file(`${two}\r\n${one}`)])
  expect(trustAnchorsSha256(inTwo)).toMatch(/^[0-9a-f]{64}$/)
  expect(trustAnchorsSha256(inOne)).toBe(trustAnchorsSha256(inTwo))
  expect(trustAnchorsSha256(read([file(one)]))).not.toBe(trustAnchorsSha256(inTwo))
})

test('anchors for time-stamps are those for signatures unless others are given', () => {
  const [both, apart] = [read([file(one)]), read([file(one)], [file(three)])]
  expect(both.timestamps).toBe(both.signatures)
  expect(apart.timestamps).not.toBe(apart.signatures)
  expect(trustAnchorsSha256(apart)).not.toBe(trustAnchorsSha256(both))
})

test('without paths there are no anchors', () => {
  expect(readTrustAnchors([])).toBe(null)
})

test.each([
  ['that is not there', () => join(folder, 'missing.pem'), /cannot read/],
  ['without certificates', () => file('nothing'), /holds no certificate/],
  [
    'with a certificate that cannot be read',
    () => file(`${one}${damaged(two)}`),
    /certificate 2 of/,
  ],
])('a file %s is refused, and nothing is left out silently', (_, path, message) => {
  expect(() => readTrustAnchors([path()])).toThrow(message)
})

test('anchors for time-stamps alone are refused', () => {
  expect(() => readTrustAnchors([], [file(one)])).toThrow(/need others for signatures/)
})

describe('on the command line', () => {
  const root = makeAuthority({ name: 'Root' })
  const signer = makeIdentity({ name: 'Signer', issuer: root })
  const command = fileURLToPath(new URL('../src/cli.ts', import.meta.url))

  test('anchors judge signers, by an option or the environment, and change no byte of the output', async () => {
    const signed = join(folder, 'signed.pdf')
    writeFileSync(signed, await signedPdf((bytes) => makeCms(signer, bytes)))
    const [ours, others] = [file(pemBundle([root])), file(one)]
    const arguments_ = ['--json', '--signed-pdf-policy', 'strip', signed]

    const [without, byOption, byEnvironment] = await Promise.all([
      run(arguments_),
      run(['--trust-anchors', `${others},${ours}`, ...arguments_]),
      run(arguments_, { TRUST_ANCHORS: others }),
    ])
    expect(trustIn(without)).toBe(null)
    expect(trustIn(byOption)).toBe(true)
    expect(trustIn(byEnvironment)).toBe(false)
    expect(new Set([without, byOption, byEnvironment].map(hashIn)).size).toBe(1)
  })

  test('anchors that cannot be read are bad usage', async () => {
    const { code, stderr } = await run(['--trust-anchors', join(folder, 'missing.pem'), 'x.pdf'])
    expect(code).toBe(2)
    expect(stderr).toContain('missing.pem')
  })

  interface Run {
    readonly code: number
    readonly stdout: string
    readonly stderr: string
  }

  function run(arguments_: readonly string[], environment = {}): Promise<Run> {
    return new Promise((resolve) => {
      const options = { env: { ...process.env, ...environment } }
      execFile(process.execPath, [command, ...arguments_], options, (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
      )
    })
  }

  function trustIn({ stdout }: Run): unknown {
    return JSON.parse(stdout).security.signatureVerificationResults[0].certificateChainTrusted
  }

  function hashIn({ stdout }: Run): unknown {
    return JSON.parse(stdout).normalized.sha256
  }
})

let files = 0

function file(text: string | undefined): string {
  const path = join(folder, `${++files}.pem`)
  writeFileSync(path, text ?? '')
  return path
}

function read(paths: readonly string[], timestampPaths: readonly string[] = []): TrustAnchors {
  const anchors = readTrustAnchors(paths, timestampPaths)
  if (!anchors) throw new Error('no anchors')
  return anchors
}

function damaged(pem: string | undefined): string {
  return (pem ?? '').replace(/\n(.{20})/, '\nAAAA$1')
}
