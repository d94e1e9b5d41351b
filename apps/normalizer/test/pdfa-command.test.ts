import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { buildPdf } from './fixture/build-pdf.ts'
import { pdfaDocument } from './fixture/pdfa-document.ts'

// Each test starts a command.
vi.setConfig({ testTimeout: 30_000 })

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'pdfnorm-pdfa-'))
  const files = {
    'good.pdf': pdfaDocument('2b'),
    'invoice.pdf': pdfaDocument('3u'),
    'bad.pdf': pdfaDocument('2b', { before: '\n' }),
    'locked.pdf': pdfaDocument('2b', { trailer: { Encrypt: '<< /Filter /Standard >>' } }),
    'plain.pdf': buildPdf(),
    'text.pdf': 'not a PDF',
  }
  for (const [name, bytes] of Object.entries(files)) {
    await writeFile(path.join(folder, name), bytes)
  }
})
afterAll(() => rm(folder, { recursive: true }))

test('each file is held against what it claims to be, and one that cannot be does not stop the others', async () => {
  const names = [
    'good.pdf',
    'invoice.pdf',
    'plain.pdf',
    'text.pdf',
    'locked.pdf',
    'missing.pdf',
    '.',
  ]
  const { code, stdout, stderr } = await run('--ndjson', ...names)

  expect(code).toBe(1)
  expect(stderr).toBe('')
  const [good, invoice, plain, text, locked, missing, directory, ...others] = linesOf(stdout)
  expect(others).toEqual([])
  expect(good).toEqual({ file: 'good.pdf', flavour: '2b', compliant: true, errors: [] })
  expect(invoice).toMatchObject({ flavour: '3u', compliant: true })
  expect(plain).toMatchObject({ flavour: null, compliant: false })
  expect(plain?.errors).toEqual([expect.stringMatching(/does not claim to be PDF\/A/)])
  expect(text).toMatchObject({ flavour: null, compliant: false })
  expect(text?.errors).toEqual([expect.stringMatching(/^The file is no readable PDF/)])
  expect(locked).toMatchObject({ flavour: '2b', compliant: false })
  expect(locked?.errors).toContain('Validation ended early: the document is encrypted')
  expect(missing).toMatchObject({ file: 'missing.pdf', flavour: null, compliant: false })
  expect(missing?.errors).toEqual(['The file cannot be read: there is no such file or folder.'])
  expect(directory).toMatchObject({ file: '.', flavour: null, compliant: false })
  expect(directory?.errors).toEqual(['The file cannot be read: it is a folder.'])
})

test('a flavour that is asked for counts, not the claim', async () => {
  const { code, stdout } = await run('--ndjson', '--flavour', '4', 'good.pdf', 'locked.pdf')

  expect(code).toBe(1)
  const [good, locked] = linesOf(stdout)
  expect(good).toMatchObject({ flavour: '4', compliant: false })
  expect(good?.errors.length).toBeGreaterThan(0)
  expect(good?.errors.every((error) => error.startsWith('ISO 19005-4:2020 '))).toBe(true)
  expect(locked?.errors).toContain('Validation ended early: the document is encrypted')
})

test('people read the verdict and below it what does not hold', async () => {
  const { code, stdout } = await run('good.pdf', 'bad.pdf')

  expect(code).toBe(1)
  expect(stdout).toMatch(
    /^good\.pdf: complies with PDF\/A-2b\nbad\.pdf: does not comply with PDF\/A-2b\n {2}ISO 19005-2:2011 6\.1\.2 t1: Required: The file begins with .*; here: .+\n/,
  )
})

test('files that all comply end with 0, no file or an unknown flavour with 2', async () => {
  const all = await run('good.pdf', 'invoice.pdf')
  const none = await run()
  const unknown = await run('--flavour', '5x', 'good.pdf')

  expect([all.code, none.code, unknown.code]).toEqual([0, 2, 2])
  expect(all.stdout).toBe('good.pdf: complies with PDF/A-2b\ninvoice.pdf: complies with PDF/A-3u\n')
})

interface FileVerdict {
  readonly file: string
  readonly errors: readonly string[]
}

function linesOf(output: string): FileVerdict[] {
  return output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as FileVerdict)
}

const command = path.join(import.meta.dirname, '../src/cli.ts')

function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<typeof run>>>()
  const child = execFile(
    process.execPath,
    [command, 'pdfa', ...args],
    { cwd: folder },
    (_, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
  )
  return promise
}
