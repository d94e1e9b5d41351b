import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { buildPdf, onePage, type PdfBody, stream } from '../test/fixture/build-pdf.ts'
import type { ComparedFile } from './compare-file.ts'
import { compareFiles, type ComparisonTask } from './compare-worker.ts'

const task = {
  maxPages: 9,
  pictures: null,
  wasRepaired: false,
  removesMediaAndFiles: false,
  lacksCharacters: false,
}

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
    ...task,
    before: square(100),
    after: square(120),
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

  const { differences } = await compareFiles({ ...task, before: tinted(1), after: tinted(0.9) })

  expect(differences).toMatchObject([{ box: [100, 50, 150, 100] }])
})

describe('where the file leaves the look of a field to the viewer', () => {
  test.each([
    ['the same text in another size', fifteenMen, false],
    ['no text', '', true],
    ['another text', fifteenMen.replace('men', 'hens'), true],
    ['part of the text', fifteenMen.replace(' men', ''), true],
    ['the text and something that hides the field', `${fifteenMen} 100 600 200 30 re f`, true],
    ['another background', `1 0 0 rg 100 600 200 30 re f 0 g ${fifteenMen}`, true],
    ['something beside it', `${fifteenMen} 350 600 9 9 re f`, true],
  ])('a text that is drawn anew with %s', async (_, content, expected) => {
    const before = withField('/FT /Tx /V (Fifteen men)')
    expect(await isUnexplained(before, drawn(content))).toBe(expected)
  })

  test.each([
    ['has its mark', '/V /Yes /AS /Yes', mark, false],
    ['has lost its mark', '/V /Yes /AS /Yes', '', true],
    ['has a mark that it should not have', '/V /Off /AS /Off', mark, true],
  ])('a check box %s', async (_, state, content, expected) => {
    const before = withField(`/FT /Btn ${state} /MK << /CA (4) >>`)
    expect(await isUnexplained(before, drawn(content))).toBe(expected)
  })

  test('an appearance of the file is drawn as it is, unless the form asks for others', async () => {
    const before = (acroForm: string): Uint8Array =>
      withField('/FT /Tx /V (Fifteen men) /AP << /N 8 0 R >>', acroForm)
    const moved = drawn(fifteenMen.replace('104', '110'))

    expect(await isUnexplained(before(''), moved)).toBe(true)
    expect(await isUnexplained(before('/NeedAppearances true'), moved)).toBe(false)
  })
})

test('where media were removed the page differs, and nowhere else', async () => {
  const before = onPage({
    6: '<< /Type /Annot /Subtype /Screen /F 4 /Rect [100 600 300 630] /AP << /N 8 0 R >> >>',
  })
  const outcome = { removesMediaAndFiles: true }

  expect(await isUnexplained(before, drawn(''), outcome)).toBe(false)
  expect(await isUnexplained(before, drawn(''))).toBe(true)
  expect(await isUnexplained(before, drawn('350 600 9 9 re f'), outcome)).toBe(true)
})

test('a repaired file shows what it did not show before, and all that it did', async () => {
  const repaired = { wasRepaired: true }

  expect(await isUnexplained(drawn(''), drawn(fifteenMen), repaired)).toBe(false)
  expect(await isUnexplained(drawn(''), drawn(fifteenMen))).toBe(true)
  expect(await isUnexplained(drawn(fifteenMen), drawn(''), repaired)).toBe(true)
})

const fifteenMen = 'BT /F1 10 Tf 104 612 Td (Fifteen men) Tj ET'
const mark = 'BT /Z 18 Tf 190 608 Td (4) Tj ET'

function withField(entries: string, acroForm = ''): Uint8Array {
  const fonts = '/DR << /Font << /Helv 5 0 R >> >>'
  return onPage({
    1: `<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [6 0 R] /DA (/Helv 12 Tf 0 g) ${fonts} ${acroForm} >> >>`,
    6: `<< /Type /Annot /Subtype /Widget /F 4 /T (f) /Rect [100 600 300 630] ${entries} >>`,
  })
}

function drawn(content: string): Uint8Array {
  return onPage({ 4: stream(content) })
}

function onPage(objects: Record<number, PdfBody>): Uint8Array {
  const appearance = '/Subtype /Form /BBox [0 0 200 30] /Resources << /Font << /F1 5 0 R >> >>'
  const page = '/Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Annots [6 0 R]'
  return buildPdf({
    objects: {
      ...onePage(),
      3: `<< ${page} /Resources << /Font << /F1 5 0 R /Z 7 0 R >> >> >>`,
      4: stream(''),
      6: 'null',
      7: '<< /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >>',
      8: stream(fifteenMen.replace('104 612', '4 12'), appearance),
      ...objects,
    },
  })
}

async function isUnexplained(
  before: Uint8Array,
  after: Uint8Array,
  outcome: Partial<ComparisonTask> = {},
): Promise<boolean> {
  const { differences } = await compareFiles({ ...task, ...outcome, before, after })
  expect(differences).toHaveLength(1)
  return differences[0]?.unexplained !== null
}
