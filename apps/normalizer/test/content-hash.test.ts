import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { extractPageTexts } from '../src/pdf/content/text-extraction.ts'
import { canonicalText, contentHash } from '../src/stages/9-content-hash.ts'
import type { DocumentInProgress } from '../src/stage.ts'
import { classicPdf, streamBody } from './fixture/classic-pdf.ts'
import { openedDocument } from './fixture/document.ts'

describe('the content hash', () => {
  test('is that of the text of the pages of the output', async () => {
    const { result, document } = await hashed(
      pages(['(Hello) Tj 0 -20 Td (world) Tj', '(Page two) Tj']),
    )
    const expected = createHash('sha256').update('Hello world\fPage two').digest('hex')
    expect(result).toBe(`sha256:${expected}`)
    expect(document.contentHash).toBe(expected)
    expect(document.findings.warnings).toEqual([])
  })

  test('stays when only the layout changes', async () => {
    const one = await hashed(pages(['(Same) Tj 0 -20 Td (text) Tj']))
    const other = await hashed(pages(['0 30 Td (Same) Tj 0 -40 Td (text) Tj']))
    expect(other.result).toBe(one.result)
  })

  test('is none for a document without text, with a warning', async () => {
    const { result, document } = await hashed(pages(['', '']))
    expect(result).toBe('image_only')
    expect(document.contentHash).toBeNull()
    expect(document.findings.warnings.map(({ code }) => code)).toEqual(['IMAGE_ONLY_DOCUMENT'])
  })

  test('is none, with another warning, for bytes that the text engine cannot open, and the next document is read', async () => {
    const { result, document } = await hashed(Buffer.from('%PDF-1.7 nothing'))
    expect(result).toBe('unavailable')
    expect(document.contentHash).toBeNull()
    expect(document.findings.warnings.map(({ code }) => code)).toEqual(['TEXT_EXTRACTION_FAILED'])
    expect((await hashed(pages(['(a) Tj']))).result).toMatch(/^sha256:/)
  })

  test('is the same for documents that are read at once', async () => {
    const bytes = pages(['(Side) Tj', '(by side) Tj'])
    const results = await Promise.all([1, 2, 3, 4].map(async () => (await hashed(bytes)).result))
    expect(new Set(results).size).toBe(1)
  })
})

test('the text of a long document is the same whether one thread reads it or two', async () => {
  const contents = Array.from({ length: 60 }, (_, page) => `(Page ${page} of many) Tj`.repeat(20))
  const bytes = pages(contents)
  const alone = await extractPageTexts(bytes, 1)
  expect(alone).toHaveLength(60)
  expect(alone[59]).toContain('Page 59 of many')
  // The second time the helper is surely up, and takes pages from the first on.
  for (const _ of [1, 2]) expect(await extractPageTexts(bytes, 2)).toEqual(alone)
})

test('long documents that are read at once by two threads do not mix', async () => {
  const documents = ['one', 'two', 'three'].map((word) =>
    pages(Array.from({ length: 20 }, (_, page) => `(${word} ${page}) Tj`)),
  )
  const texts = await Promise.all(documents.map((bytes) => extractPageTexts(bytes, 2)))
  expect(texts.map((pages) => pages.at(-1))).toEqual(['one 19', 'two 19', 'three 19'])
})

test('text is composed, its white space single, and its pages are kept apart', () => {
  expect(canonicalText(['  Cafe\u0301\r\n\t au  lait ', '', 'x'])).toBe('Caf\u00e9 au lait\f\fx')
  expect(canonicalText([' ', '\n'])).toBe('')
})

async function hashed(
  bytes: Uint8Array,
): Promise<{ result: string; document: DocumentInProgress }> {
  const document = openedDocument(pages(['']))
  document.output = { bytes, pdfVersion: '1.7', linearized: false }
  return { result: await contentHash.run(document), document }
}

function pages(contents: readonly string[]): Uint8Array {
  const kids = contents.map((_, index) => `${index * 2 + 4} 0 R`).join(' ')
  return classicPdf([
    [1, '<< /Type /Catalog /Pages 2 0 R >>'],
    [2, `<< /Type /Pages /Count ${contents.length} /Kids [${kids}] /MediaBox [0 0 400 400] >>`],
    [3, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'],
    ...contents.flatMap((content, index): [number, string][] => [
      [
        index * 2 + 4,
        `<< /Type /Page /Parent 2 0 R /Contents ${index * 2 + 5} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      ],
      [index * 2 + 5, streamBody('', `BT /F1 12 Tf 50 300 Td ${content} ET`)],
    ]),
  ])
}
