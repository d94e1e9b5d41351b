import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { emptyFindings } from '../src/findings.ts'
import { defaultOptions } from '../src/options.ts'
import { PdfDictionary, PdfName, PdfReference, PdfStream } from '../src/pdf/object.ts'
import { decodeStream } from '../src/pdf/filter/decode-stream.ts'
import { inheritedAttribute, listPages } from '../src/pdf/page-tree.ts'
import type { PdfFile } from '../src/pdf/pdf-file.ts'
import { ResourceLimitError } from '../src/pdf/reading/read-limits.ts'
import { readPdf } from '../src/pdf/reading/read-pdf.ts'
import { writePdf } from '../src/pdf/writing/writer.ts'
import { type FindingsInProgress, PipelineStop } from '../src/stage.ts'
import { structuralRepair } from '../src/stages/2-structural-repair.ts'
import { buildPdf, onePage, type PdfObjects, replaceText } from './fixture/build-pdf.ts'

describe('a sound file', () => {
  test('is clean and is left as it is', () => {
    const { result, findings, file } = repair(buildPdf())

    expect(result).toBe('clean')
    expect(findings.validation).toMatchObject({
      xrefRebuilt: false,
      objectStreamsRegenerated: false,
      brokenReferencesDetected: false,
    })
    expect([...file.graph.numbers()]).toEqual([1, 2, 3, 4, 5])
  })

  test('with object streams is clean, and they are written anew', () => {
    const bytes = buildPdf({ crossReference: 'stream', compressed: [1, 2, 3, 5] })
    const { result, findings } = repair(bytes)

    expect(result).toBe('clean')
    expect(findings.validation.objectStreamsRegenerated).toBe(true)
  })
})

describe('what is reported', () => {
  test('is a cross-reference that had to be rebuilt', () => {
    const { result, findings } = repair(replaceText(buildPdf(), 'startxref', 'startyref'))

    expect(result).toBe('repaired')
    expect(findings.validation.xrefRebuilt).toBe(true)
  })

  test('are references to missing objects, where the document reaches them', () => {
    const dangling = { ...onePage(), 5: '<< /Type /Font /FontDescriptor 99 0 R >>' }
    const { result, findings } = repair(buildPdf({ objects: dangling }))
    expect(result).toBe('repaired')
    expect(findings.validation.brokenReferencesDetected).toBe(true)

    const unreachable = repair(buildPdf({ objects: { ...onePage(), 6: '[99 0 R]' } }))
    expect(unreachable.result).toBe('clean')
    expect(unreachable.findings.validation.brokenReferencesDetected).toBe(false)
  })

  test('is a reference by another generation than its object has, which still leads there', () => {
    const { result, findings, file } = repair(replaceText(buildPdf(), '/F1 5 0 R', '/F1 5 1 R'))
    expect(result).toBe('repaired')
    expect(findings.validation.brokenReferencesDetected).toBe(true)

    const output = { linearize: false, objectStreams: false, version: '1.7' } as const
    const text = Buffer.from(writePdf(file.graph, output)).toString('latin1')
    expect(text).toContain('/BaseFont/Helvetica')
  })

  test('is a missing end of file', () => {
    const { result } = repair(replaceText(buildPdf(), '%%EOF', ''))
    expect(result).toBe('repaired')
  })
})

describe('filters that do not exist', () => {
  const content = 'BT /F1 9 Tf (shown) Tj ET'
  test.each([
    ['alone', '/Filter /Sqeeze', content, undefined],
    ['behind others', '/Filter [/AHx /Sqeeze]', `${Buffer.from(content).toString('hex')}>`, 'hex'],
  ])('%s are taken off what readers show as it is', (_, filter, data, left) => {
    const { file, result } = repairObjects({ 4: { dictionary: filter, data } })

    expect(result).toBe('repaired')
    const stream = file.graph.get(4)
    if (!(stream instanceof PdfStream)) throw new Error('no stream')
    expect(stream.dictionary.has('Filter')).toBe(left !== undefined)
    expect(Buffer.from(decodeStream(file.graph, stream) ?? []).toString()).toBe(content)
  })

  test('take encoded content off the page: nobody can decode it', () => {
    const data = deflateSync(content).toString('latin1')
    const { file, result } = repairObjects({ 4: { dictionary: '/Filter /Sqeeze', data } })

    expect(result).toBe('repaired')
    expect(dictionary(file, 3).has('Contents')).toBe(false)
  })

  test('leave forms empty whose content nobody can decode', () => {
    const data = deflateSync(content).toString('latin1')
    const form = '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Filter /Sqeeze'
    const page = '/Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R'
    const { file } = repairObjects({
      3: `<< ${page} /Resources << /XObject << /X 6 0 R >> >> >>`,
      6: { dictionary: form, data },
    })

    const stream = file.graph.get(6)
    if (!(stream instanceof PdfStream)) throw new Error('no stream')
    expect(stream.data).toHaveLength(0)
    expect(stream.dictionary.has('Filter')).toBe(false)
  })

  test('stay with images, of which no picture becomes either way', () => {
    const image = { dictionary: '/Type /XObject /Subtype /Image /Filter /Sqeeze', data: 'x' }
    const page = '/Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R'
    const { file, result } = repairObjects({
      3: `<< ${page} /Resources << /XObject << /I 6 0 R >> >> >>`,
      6: image,
    })

    expect(result).toBe('clean')
    const stream = file.graph.get(6)
    if (!(stream instanceof PdfStream)) throw new Error('no stream')
    expect(stream.dictionary.get('Filter')).toEqual(new PdfName('Sqeeze'))
  })
})

describe('the page tree', () => {
  test('loses keys of pages that only begin as those that pages have', () => {
    const { file, result } = repairObjects({
      3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents#80 4 0 R /Contents 4 0 R /Own#80 1 >>',
    })

    expect(result).toBe('repaired')
    expect([...dictionary(file, 3).keys()]).not.toContain('Contents\x80')
    expect(dictionary(file, 3).has('Contents')).toBe(true)
    expect(dictionary(file, 3).has('Own\x80')).toBe(true)
  })

  test('gets its types, counts and parents', () => {
    const { file, result } = repairObjects({
      1: '<< /Pages 2 0 R >>',
      2: '<< /Kids [6 0 R 3 0 R] /Count -7 /Parent 9 0 R >>',
      3: '<< /Parent 6 0 R /MediaBox [0 0 9 9] >>',
      6: '<< /Kids [7 0 R 8 0 R] /MediaBox [0 0 5 5] >>',
      7: '<< /Contents 4 0 R >>',
      8: '<< /Type /Page /Parent 2 0 R >>',
    })

    expect(result).toBe('repaired')
    expect(dictionary(file, 1).get('Type')).toEqual(new PdfName('Catalog'))
    expect(dictionary(file, 2).get('Count')).toBe(3)
    expect(dictionary(file, 2).has('Parent')).toBe(false)
    expect(dictionary(file, 6).get('Count')).toBe(2)
    expect(dictionary(file, 6).get('Parent')).toEqual(new PdfReference(2, 0))
    expect(pageNumbers(file)).toEqual([7, 8, 3])
    for (const number of [7, 8]) {
      expect(dictionary(file, number).get('Type')).toEqual(new PdfName('Page'))
      expect(dictionary(file, number).get('Parent')).toEqual(new PdfReference(6, 0))
      expect(dictionary(file, number).has('MediaBox')).toBe(false)
    }
  })

  test('loses its circles', () => {
    const { file } = repairObjects({
      2: '<< /Type /Pages /Kids [3 0 R 2 0 R 6 0 R] /Count 3 >>',
      6: '<< /Type /Pages /Parent 2 0 R /Kids [2 0 R] /Count 1 >>',
    })

    expect(pageNumbers(file)).toEqual([3])
    expect(dictionary(file, 2).get('Kids')).toEqual([
      new PdfReference(3, 0),
      new PdfReference(6, 0),
    ])
    expect(dictionary(file, 6).get('Kids')).toEqual([])
  })

  test('shows a page that stands twice in it twice', () => {
    const { file } = repairObjects({ 2: '<< /Type /Pages /Kids [3 0 R 3 0 R] /Count 2 >>' })

    const pages = listPages(file.graph)
    expect(pages).toHaveLength(2)
    expect(new Set(pages.map(({ reference }) => reference?.number)).size).toBe(2)
  })

  test('loses kids that are missing, null or no pages', () => {
    const { file } = repairObjects({
      2: '<< /Type /Pages /Kids [99 0 R 5 0 R null 3 0 R 12] /Count 5 >>',
    })
    expect(pageNumbers(file)).toEqual([3])
  })

  test('has direct pages made indirect', () => {
    const { file } = repairObjects({
      2: '<< /Type /Pages /Kids [<< /Type /Page /MediaBox [0 0 9 9] >>] /Count 1 >>',
    })
    expect(pageNumbers(file)).toHaveLength(1)
  })

  test('keeps a page that was written as a stream', () => {
    const { file } = repairObjects({
      3: { dictionary: '/Type /Page /Parent 2 0 R /MediaBox [0 0 9 9]', data: '' },
    })
    expect(pageNumbers(file)).toEqual([3])
    expect(file.graph.get(3)).toBeInstanceOf(PdfDictionary)
  })

  test('is made for a page that the catalog refers to in its place', () => {
    const { file, result } = repairObjects({ 1: '<< /Type /Catalog /Pages 3 0 R >>' })

    expect(result).toBe('repaired')
    expect(pageNumbers(file)).toEqual([3])
    const tree = file.graph.resolve(dictionary(file, 1).get('Pages'))
    expect(tree instanceof PdfDictionary && tree.get('Type')).toEqual(new PdfName('Pages'))
  })

  test('never takes the catalog for a page', () => {
    const { file } = repairObjects({
      1: '<< /Type /Page /Pages 1 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>',
    })

    expect(pageNumbers(file)).toEqual([3])
    expect(dictionary(file, 1).get('Type')).toEqual(new PdfName('Catalog'))
  })

  test.for([
    ['<< >>', undefined],
    ['[5 0 R 4 0 R null 99 0 R]', [new PdfReference(4, 0)]],
    ['6 0 R', undefined],
    ['[4 0 R 6 0 R]', [new PdfReference(4, 0)]],
  ] as const)(
    'leaves nothing but streams of content in the contents of a page: %s',
    ([contents, kept]) => {
      const { file, result } = repairObjects({
        3: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents ${contents} >>`,
        6: { dictionary: '/Type /ObjStm /N 0 /First 0', data: '' },
      })
      expect(result).toBe('repaired')
      expect(dictionary(file, 3).get('Contents')).toEqual(kept)
    },
  )

  test('is made of the pages that no tree holds', () => {
    const { file } = repairObjects({ 2: '<< /Type /Pages /Kids [2 0 R] /Count 1 >>' })
    expect(pageNumbers(file)).toEqual([3])
  })

  test('gives a media box to a page that has and inherits none', () => {
    const { file } = repairObjects({ 3: '<< /Type /Page /Parent 2 0 R >>' })
    const [page] = listPages(file.graph)
    expect(page && inheritedAttribute(file.graph, page, 'MediaBox')).toEqual([0, 0, 612, 792])
  })

  test('is not followed deeper than any writer goes', () => {
    const depth = 1000
    const objects: Record<number, string> = {}
    for (let i = 0; i < depth; i++) objects[100 + i] = `<< /Type /Pages /Kids [${101 + i} 0 R] >>`
    const deep = { ...onePage(), ...objects, 2: '<< /Type /Pages /Kids [100 0 R] >>' }
    expect(() => repair(buildPdf({ objects: deep }))).toThrow(ResourceLimitError)
  })

  test('without any page ends the document', () => {
    const objects = { 1: '<< /Type /Catalog /Pages 2 0 R >>', 2: '<< /Type /Pages /Kids [] >>' }
    const run = (): unknown => repair(buildPdf({ objects }))
    expect(run).toThrow(PipelineStop)
    expect(run).toThrow(expect.objectContaining({ code: 'MALFORMED_PDF' }))
  })
})

function repairObjects(changed: PdfObjects): ReturnType<typeof repair> {
  return repair(buildPdf({ objects: { ...onePage(), ...changed } }))
}

function repair(bytes: Uint8Array): {
  result: string
  findings: FindingsInProgress
  file: PdfFile
} {
  const findings = emptyFindings()
  const file = readPdf(bytes)
  const result = structuralRepair.run({
    options: defaultOptions,
    file,
    findings,
    output: null,
    contentHash: null,
    now: new Date(0),
  })
  return { result, findings, file }
}

function dictionary({ graph }: PdfFile, number: number): PdfDictionary {
  const object = graph.get(number)
  if (!(object instanceof PdfDictionary)) throw new Error(`Object ${number} is no dictionary`)
  return object
}

function pageNumbers({ graph }: PdfFile): (number | undefined)[] {
  return listPages(graph).map(({ reference }) => reference?.number)
}
