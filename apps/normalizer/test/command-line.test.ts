import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { buildPdf, onePage } from './fixture/build-pdf.ts'

// Each test starts a command, and that its workers.
vi.setConfig({ testTimeout: 30_000 })

const command = path.join(import.meta.dirname, '../src/cli.ts')
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'pdfnorm-cli-'))
  await writeFile(path.join(folder, 'in.pdf'), buildPdf())
  await writeFile(path.join(folder, 'two.pdf'), buildPdf({ objects: onePage('Two') }))
  await writeFile(path.join(folder, 'text.pdf'), 'not a PDF')
})
afterAll(() => rm(folder, { recursive: true }))

describe('one file', () => {
  test('is written to -o and described on standard error', async () => {
    const { code, stdout, stderr } = await run('in.pdf', '-o', 'out.pdf')

    expect(code).toBe(0)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^SUCCESS in \d+ ms\n/)
    expect(stderr).toContain('NON_EMBEDDED_FONT')
    expect((await readFile(path.join(folder, 'out.pdf'), 'latin1')).slice(0, 5)).toBe('%PDF-')
  })

  test('is read from standard input and written to standard output', async () => {
    const child = spawn(process.execPath, [command, '-', '-o', '-'], { cwd: folder })
    child.stdin.end(await readFile(path.join(folder, 'in.pdf')))
    const [output] = await Promise.all([buffer(child.stdout), once(child, 'exit')])

    await run('in.pdf', '-o', 'file.pdf')
    expect(output.equals(await readFile(path.join(folder, 'file.pdf')))).toBe(true)
  })

  test('is printed with all its findings by --json', async () => {
    const { code, stdout } = await run('in.pdf', '--json', '--linearize=false')

    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      file: 'in.pdf',
      status: 'SUCCESS',
      normalized: { linearized: false },
      failure: null,
      output: null,
    })
  })

  test('that cannot be normalized ends with 1 and writes nothing', async () => {
    const { code, stderr } = await run('text.pdf', '-o', 'never.pdf')

    expect(code).toBe(1)
    expect(stderr).toContain('MALFORMED_PDF at StructuralRepair')
    expect(await readdir(folder)).not.toContain('never.pdf')
  })
})

describe('many files', () => {
  test('print one line each, in the order given, whatever becomes of one', async () => {
    const files = ['in.pdf', 'text.pdf', 'missing.pdf', 'two.pdf', 'in.pdf']

    const { code, stdout } = await run('--ndjson', '--out-dir', 'many', ...files)

    expect(code).toBe(0)
    const lines = stdout.trimEnd().split('\n').map(parsed)
    expect(lines.map(({ file, status }) => [file, status])).toEqual([
      ['in.pdf', 'SUCCESS'],
      ['text.pdf', 'FAILED'],
      ['missing.pdf', 'FAILED'],
      ['two.pdf', 'SUCCESS'],
      ['in.pdf', 'SUCCESS'],
    ])
    expect(new Set(lines.map((line) => Object.keys(line).join()))).toHaveLength(1)
    expect(await readdir(path.join(folder, 'many'))).toEqual(['in-2.pdf', 'in.pdf', 'two.pdf'])
  })

  test('may be named in a list', async () => {
    await writeFile(path.join(folder, 'list.txt'), 'in.pdf\ntwo.pdf\n')

    const { stdout } = await run('--ndjson', '--files-from', 'list.txt')

    expect(stdout.trimEnd().split('\n').map(parsed)).toMatchObject([
      { file: 'in.pdf', output: null },
      { file: 'two.pdf', output: null },
    ])
  })
})

describe('what goes wrong on the way', () => {
  test('a file that vanishes, a folder and a file that may not be read have lines of their own', async () => {
    await writeFile(path.join(folder, 'list.txt'), 'in.pdf\r\nvanished.pdf\r\n\r\n.\r\ntwo.pdf')

    const { code, stdout } = await run('--ndjson', '--out-dir', 'odd', '--files-from', 'list.txt')

    expect(code).toBe(0)
    const lines = stdout.trimEnd().split('\n').map(parsed)
    expect(lines).toMatchObject([
      { file: 'in.pdf', status: 'SUCCESS' },
      { file: 'vanished.pdf', status: 'FAILED', original: null, output: null },
      { file: '.', status: 'FAILED', original: null, output: null },
      { file: 'two.pdf', status: 'SUCCESS' },
    ])
    expect(lines.map(({ failure }) => failure)).toMatchObject([
      null,
      { message: 'there is no such file or folder' },
      { message: 'it is a folder' },
      null,
    ])
  })

  test('an output that cannot be written is told in its line, and nothing half-written stays', async () => {
    await mkdir(path.join(folder, 'taken/in.pdf'), { recursive: true })

    const { stdout } = await run('--ndjson', '--out-dir', 'taken', 'in.pdf', 'two.pdf')

    expect(stdout.trimEnd().split('\n').map(parsed)).toMatchObject([
      { file: 'in.pdf', status: 'FAILED', output: null },
      { file: 'two.pdf', status: 'SUCCESS' },
    ])
    expect(await readdir(path.join(folder, 'taken'))).toEqual(['in.pdf', 'two.pdf'])
  })

  test('a reader that has enough ends the command without a word', async () => {
    const child = spawn(process.execPath, [command, '--ndjson', ...Array(40).fill('in.pdf')], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout.once('data', () => child.stdout.destroy())
    const [words, [code]] = await Promise.all([buffer(child.stderr), once(child, 'exit')])

    expect(words.toString()).toBe('')
    expect(code).toBe(141)
  })

  test('an interrupt ends it at once and leaves whole files only', async () => {
    const child = spawn(
      process.execPath,
      [command, '--ndjson', '--out-dir', 'interrupted', ...Array(200).fill('in.pdf')],
      { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] },
    )
    child.stdout.once('data', () => child.kill('SIGINT'))
    const [, signal] = (await once(child, 'exit')) as [number | null, string | null]

    expect(signal).toBe('SIGINT')
    const left = await readdir(path.join(folder, 'interrupted'))
    expect(left.length).toBeLessThan(200)
    for (const file of left) {
      const text = await readFile(path.join(folder, 'interrupted', file), 'latin1')
      expect(text.trimEnd().endsWith('%%EOF')).toBe(true)
    }
  })

  test('standard input may be one of many files', async () => {
    const child = spawn(process.execPath, [command, '--ndjson', 'two.pdf', '-'], { cwd: folder })
    child.stdin.end(await readFile(path.join(folder, 'in.pdf')))
    const [output] = await Promise.all([buffer(child.stdout), once(child, 'exit')])

    expect(output.toString().trimEnd().split('\n').map(parsed)).toMatchObject([
      { file: 'two.pdf', status: 'SUCCESS' },
      { file: '-', status: 'SUCCESS' },
    ])
  })

  test('a file behind a name that leads elsewhere is replaced there', async () => {
    await writeFile(path.join(folder, 'target.pdf'), 'before')
    await symlink('target.pdf', path.join(folder, 'link.pdf'))

    await run('in.pdf', '-o', 'link.pdf')

    expect((await lstat(path.join(folder, 'link.pdf'))).isSymbolicLink()).toBe(true)
    expect((await readFile(path.join(folder, 'target.pdf'), 'latin1')).slice(0, 5)).toBe('%PDF-')
  })
})

const badUsage = [
  '',
  'in.pdf two.pdf',
  'in.pdf --signed-pdf-policy perhaps',
  'in.pdf --unknown',
  'in.pdf --out-dir x',
  'missing.pdf -o x.pdf',
  'in.pdf -o no/such/folder/x.pdf',
  '--ndjson',
  '--ndjson - -',
  '--ndjson --files-from - -',
  '--ndjson --out-dir . in.pdf two.pdf',
  '--ndjson --out-dir text.pdf in.pdf',
]

test.for(badUsage)('bad usage ends with 2 and says why: %s', async (given) => {
  const { code, stdout, stderr } = await run(...given.split(' ').filter((word) => word !== ''))

  expect(code).toBe(2)
  expect(stdout).toBe('')
  expect(stderr).not.toBe('')
  expect(stderr).not.toContain('    at ')
})

function run(...given: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [command, ...given],
      { cwd: folder },
      (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}

function parsed(line: string): Record<string, unknown> {
  return JSON.parse(line) as Record<string, unknown>
}
