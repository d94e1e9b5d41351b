import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { CorpusFile } from '../test/corpus-files.ts'
import { pdfaDocument } from '../test/fixture/pdfa-document.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pdfnorm-grade-pdfa-test-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const withoutIdentifier = pdfaDocument('2b', { trailer: { ID: null } })

test('verdicts and clauses are graded by what the suite says, and what the pipeline makes of its files', () => {
  const { lines, code } = grade([
    [known('good.pdf', 'pass', '2b', '6.1.3'), pdfaDocument('2b')],
    [known('bad.pdf', 'fail', '2', '6.1.3'), withoutIdentifier],
  ])

  expect(lines).toMatchObject([
    { file: 'good.pdf', flavour: '2b', truth: 'pass', rules: [], agrees: true, clauseNamed: null },
    { file: 'bad.pdf', flavour: '2b', rules: ['6.1.3 t1'], agrees: true, clauseNamed: true },
  ])
  const [good] = lines as { outputs: unknown[] }[]
  expect(good?.outputs).toHaveLength(4)
  expect(good?.outputs).toMatchObject([
    { options: 'preserve', claimed: '2b', rules: [], complaint: null },
    { options: 'normalize_anyway', complaint: null },
    { options: 'preserve, linearized', claimed: '2b', rules: [], complaint: null },
    { options: 'normalize_anyway, linearized', complaint: null },
  ])
  expect(code).toBe(0)
})

test('a false failure, a missed one and another clause are told and fail the grade', () => {
  const { lines, code } = grade([
    [known('strict.pdf', 'pass', '2b', '6.1.3'), withoutIdentifier],
    [known('missed.pdf', 'fail', '2b', '6.1.3'), pdfaDocument('2b')],
    [known('other.pdf', 'fail', '2b', '6.2.11'), withoutIdentifier],
  ])

  expect(lines).toMatchObject([
    { truth: 'pass', agrees: false },
    { truth: 'fail', agrees: false, clauseNamed: false },
    { truth: 'fail', agrees: true, clauseNamed: false },
  ])
  expect(code).toBe(1)
})

test('rules on which veraPDF says otherwise are told', () => {
  const verapdf = join(folder, 'verapdf')
  writeFileSync(verapdf, `#!${process.execPath}\n(${recorded.toString()})()\n`)
  chmodSync(verapdf, 0o700)
  const { text } = grade([[known('bad.pdf', 'fail', '2b', '6.1.3'), withoutIdentifier]], verapdf)

  expect(text).toContain('veraPDF gave a verdict on 1: the same 1')
  expect(text).toContain('bad.pdf: 2b misses 6.1.2 t1; has 6.1.3 t1 too much')
})

/** Stands for veraPDF: each file fails 6.1.2. */
function recorded(): void {
  const names = process.argv.filter((argument) => argument.endsWith('.pdf'))
  const rule = { specification: 'ISO 19005-2:2011', clause: '6.1.2', testNumber: 1 }
  const jobs = names.map((name) => ({
    itemDetails: { name },
    validationResult: [{ compliant: false, details: { ruleSummaries: [rule] } }],
  }))
  process.stdout.write(JSON.stringify({ report: { buildInformation: {}, jobs } }))
}

function known(
  file: string,
  verdict: 'pass' | 'fail',
  flavour: string,
  clause: string,
): CorpusFile {
  return { file, category: `pdfa-${verdict}`, pdfa: { flavour, corpus_verdict: verdict, clause } }
}

function grade(
  files: readonly [CorpusFile, Uint8Array][],
  verapdf = '',
): { lines: unknown[]; text: string; code: number | null } {
  for (const [{ file }, bytes] of files) writeFileSync(join(folder, file), bytes)
  const manifest = files.map(([file]) => `${JSON.stringify(file)}\n`).join('')
  writeFileSync(join(folder, 'manifest.jsonl'), manifest)
  const command = fileURLToPath(new URL('./grade-pdfa.ts', import.meta.url))
  const options = verapdf === '' ? ['--ndjson'] : []
  const run = spawnSync(process.execPath, [command, '--corpus', folder, ...options], {
    encoding: 'utf8',
    env: { ...process.env, VERAPDF: verapdf },
  })
  const lines = verapdf === '' ? run.stdout.trim().split('\n') : []
  return {
    lines: lines.map((line): unknown => JSON.parse(line)),
    text: run.stdout,
    code: run.status,
  }
}
