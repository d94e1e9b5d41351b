import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildPdf, onePage, stream } from '../test/fixture/build-pdf.ts'
import type { ComparedFile } from './compare-file.ts'
import { compareFiles } from './compare-worker.ts'
import { hasPoppler, looksSameInPoppler } from './second-renderer.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pdfnorm-pages-test-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('documents that look the same before and after are counted, what was not compared is named', () => {
  const plain = join(folder, 'plain.pdf')
  const broken = join(folder, 'broken.pdf')
  writeFileSync(plain, buildPdf())
  writeFileSync(broken, 'no PDF')

  const command = fileURLToPath(new URL('./compare-pages.ts', import.meta.url))
  const run = spawnSync(process.execPath, [command, '--json', plain, broken], { encoding: 'utf8' })

  expect(JSON.parse(run.stdout) as ComparedFile[]).toMatchObject([
    { file: plain, left: null, pages: 1, differences: [] },
    { file: broken, left: 'MALFORMED_PDF' },
  ])
  expect(run.status).toBe(0)
})

test('a page that looks otherwise is found, with where, and kept as a picture', async () => {
  const square = (x: number): Uint8Array =>
    buildPdf({ objects: { ...onePage(), 4: stream(`1 0 0 rg ${x} 692 50 50 re f`) } })
  const pictures = join(folder, 'page')

  const { differences, pages } = await compareFiles({
    before: square(100),
    after: square(120),
    maxPages: 9,
    pictures,
  })

  expect(pages).toBe(1)
  // Twenty columns on the left and twenty on the right of what both have in common.
  expect(differences).toMatchObject([{ page: 1, pixels: 2 * 20 * 50, box: [100, 50, 170, 100] }])
  expect(readFileSync(`${pictures}-1.png`).subarray(1, 4).toString('latin1')).toBe('PNG')
})

test('a background of another tint is a difference, however light it is', async () => {
  const tinted = (grey: number): Uint8Array =>
    buildPdf({ objects: { ...onePage(), 4: stream(`${grey} g 100 692 50 50 re f`) } })
  const task = { before: tinted(1), after: tinted(0.9), maxPages: 9, pictures: null }

  const { differences } = await compareFiles(task)

  expect(differences).toMatchObject([{ box: [100, 50, 150, 100] }])
})

test.runIf(hasPoppler)(
  `poppler is asked for a second opinion${hasPoppler ? '' : ' (skipped: poppler is not installed)'}`,
  async () => {
    const shows = (text: string): Uint8Array => buildPdf({ objects: onePage(text) })

    expect(await looksSameInPoppler(shows('One'), shows('One'), 1)).toBe(true)
    expect(await looksSameInPoppler(shows('One'), shows('Two'), 1)).toBe(false)
    expect(await looksSameInPoppler(shows('One'), Buffer.from('no PDF'), 1)).toBe(null)
  },
)
