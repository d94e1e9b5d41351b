import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { CorpusFile } from '../test/corpus-files.ts'
import { buildPdf, onePage } from '../test/fixture/build-pdf.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pdfnorm-grade-trust-test-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const unsigned = { count: 0, integrity: 'none', openssl: [] }
const untrue = buildPdf({
  objects: {
    ...onePage(),
    1: '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [7 0 R] >> >>',
    7: '<< /FT /Sig /T (Signature) /V 8 0 R >>',
    8: '<< /Type /Sig /ByteRange [0 1 2 3] /Contents <01> >>',
  },
})

test('signatures, attacks and false alarms are graded by what the manifest knows', () => {
  const invalid = { obj: '8 0', intact: false, covers_to_eof: null, gap_matches_contents: false }
  const { lines, code } = grade([
    [{ file: 'plain.pdf', category: 'real', signatures: unsigned }, buildPdf()],
    [
      {
        file: 'forged.pdf',
        category: 'signed-tampered',
        signatures: { count: 1, integrity: 'invalid', openssl: [invalid] },
        tampered_by_construction: true,
      },
      untrue,
    ],
  ])

  expect(lines).toMatchObject([
    { file: 'plain.pdf', attack: null, falseAlarm: false, verdicts: [{ agrees: true }] },
    {
      file: 'forged.pdf',
      attack: 'found',
      falseAlarm: null,
      verdicts: [
        { fact: 'integrity', ours: 'SOME_INVALID', agrees: true },
        { fact: 'signature 8', truth: 'invalid', agrees: true },
      ],
    },
  ])
  expect(code).toBe(0)
})

test('an attack that is missed, a false alarm and a wrong verdict are told and fail the grade', () => {
  const signatures = { count: 1, integrity: 'valid' }
  const { lines, code } = grade([
    [{ file: 'attack.pdf', category: 'real', tampered_by_construction: true }, buildPdf()],
    [{ file: 'alarm.pdf', category: 'real' }, buildPdf({ after: 'MZ' })],
    [{ file: 'signed.pdf', category: 'real', signatures }, buildPdf()],
  ])

  expect(lines).toMatchObject([
    { attack: 'missed', falseAlarm: null },
    { attack: null, falseAlarm: true },
    { falseAlarm: false, verdicts: [{ truth: 'ALL_VALID', ours: 'NONE', agrees: false }] },
  ])
  expect(code).toBe(1)
})

function grade(files: readonly [CorpusFile, Uint8Array][]): {
  lines: unknown[]
  code: number | null
} {
  for (const [{ file }, bytes] of files) writeFileSync(join(folder, file), bytes)
  const manifest = files.map(([known]) => `${JSON.stringify(known)}\n`).join('')
  writeFileSync(join(folder, 'manifest.jsonl'), manifest)
  const command = fileURLToPath(new URL('./grade-trust.ts', import.meta.url))
  const run = spawnSync(process.execPath, [command, '--corpus', folder, '--ndjson'], {
    encoding: 'utf8',
  })
  const lines = run.stdout.trim().split('\n')
  return { lines: lines.map((line): unknown => JSON.parse(line)), code: run.status }
}
