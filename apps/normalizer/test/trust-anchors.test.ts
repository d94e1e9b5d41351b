import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import {
  readTrustAnchors,
  type TrustAnchors,
  trustAnchorsSha256,
} from '../src/signature/trust-anchors.ts'
import { makeAuthority } from './fixture/pki.ts'
import { pemBundle } from './fixture/verified-signatures.ts'

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
