import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { CorpusFile } from '../test/corpus-files.ts'
import { buildPdf, onePage } from '../test/fixture/build-pdf.ts'
import { examineOutput } from '../trial/active-content-left.ts'
import type { GradeReport } from './grade-report.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pdfnorm-grade-test-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const script = '<< /S /JavaScript /JS (app.alert\\(1\\)) >>'
const acting = { ...onePage(), 1: `<< /Type /Catalog /Pages 2 0 R /OpenAction ${script} >>` }
const encrypted = '/Encrypt << /Filter /Standard /V 1 /R 2 /O <00> /U <00> /P -4 >>'

test('a corpus is graded by what its manifest knows', () => {
  const { report, code } = grade([
    [{ file: 'plain.pdf', category: 'real', js: false, pages: 1 }, buildPdf()],
    [{ file: 'acting.pdf', category: 'javascript', js: true }, buildPdf({ objects: acting })],
    [
      { file: 'locked.pdf', category: 'encrypted', encrypted: true },
      buildPdf({ trailer: encrypted }),
    ],
    [{ file: 'text.pdf', category: 'not-a-pdf' }, Buffer.from('no PDF')],
  ])

  expect(report.complaints).toEqual([])
  expect(report.disagreements).toEqual([])
  expect(report.categories.map(({ category, facts }) => [category, facts])).toEqual([
    ['encrypted', 1],
    ['javascript', 1],
    ['not-a-pdf', 1],
    ['real', 2],
  ])
  expect(code).toBe(0)
})

test('what is answered wrong is named, and the command says so by its exit code', () => {
  const { report, code } = grade([
    [{ file: 'plain.pdf', category: 'encrypted', encrypted: true, js: true }, buildPdf()],
  ])

  expect(report.disagreements).toEqual([
    { file: 'plain.pdf', about: 'encrypted', remark: 'manifest: true, we: false' },
    { file: 'plain.pdf', about: 'JavaScript', remark: 'manifest: true, we: false' },
  ])
  expect(report.summary.filter(({ holds }) => holds === false)).toMatchObject([
    { what: 'encrypted: answered right', value: '0 of 1' },
  ])
  expect(code).toBe(1)
})

test('the examiner finds active content, in object streams too, and leaves the words of a document alone', async () => {
  const hidden = buildPdf({ objects: acting, crossReference: 'stream', compressed: [1, 2, 3] })
  expect((await examineOutput(hidden)).left).toEqual([
    '1 0 R: key /OpenAction',
    '1 0 R: key /JS',
    '1 0 R: action /JavaScript',
  ])

  const harmless = buildPdf({
    objects: {
      ...onePage(),
      3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Resources << /Font << /JS 5 0 R >> >> >>',
    },
  })
  expect(await examineOutput(harmless)).toEqual({ left: [], pages: 1 })
})

function grade(files: readonly [CorpusFile, Uint8Array][]): {
  report: GradeReport
  code: number | null
} {
  for (const [{ file }, bytes] of files) writeFileSync(join(folder, file), bytes)
  const manifest = files.map(([known]) => `${JSON.stringify(known)}\n`).join('')
  writeFileSync(join(folder, 'manifest.jsonl'), manifest)
  const command = fileURLToPath(new URL('./grade.ts', import.meta.url))
  const run = spawnSync(process.execPath, [command, '--corpus', folder, '--json'], {
    encoding: 'utf8',
  })
  return { report: JSON.parse(run.stdout) as GradeReport, code: run.status }
}
