import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import {
  MAX_OBJECT_NUMBER,
  isName,
  PdfDictionary,
  PdfName,
  PdfReference,
  PdfStream,
} from '../src/pdf/object.ts'
import { decodeStream } from '../src/pdf/filter/decode-stream.ts'
import { listPages } from '../src/pdf/page-tree.ts'
import type { PdfFile } from '../src/pdf/pdf-file.ts'
import { Oddity } from '../src/pdf/reading/oddity.ts'
import {
  defaultReadLimits,
  MalformedPdfError,
  ResourceLimitError,
} from '../src/pdf/reading/read-limits.ts'
import { readPdf } from '../src/pdf/reading/read-pdf.ts'
import {
  buildPdf,
  offsetOf,
  onePage,
  type PdfDescription,
  replaceText,
  stream,
} from './fixture/build-pdf.ts'

const helvetica = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'
const courier = '<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>'

describe('whole files', () => {
  const forms: Record<string, PdfDescription> = {
    'a cross-reference table': {},
    'a cross-reference stream': { crossReference: 'stream' },
    'a cross-reference stream and an object stream': {
      crossReference: 'stream',
      compressed: [1, 2, 3, 5],
    },
    'a table and the hidden objects of a hybrid file': {
      crossReference: 'hybrid',
      compressed: [5],
    },
    'a linearized layout': { linearized: true },
    'offsets counted from a header that is not first': { before: 'From: someone\n\n' },
    'true offsets behind such a header': { before: 'From: someone\n\n', rawOffsets: true },
    'table entries of 19 bytes': { entryEnd: '\n' },
  }
  test.each(Object.entries(forms))('are read by %s', (_, description) => {
    const file = readPdf(buildPdf(description))

    expect(baseFonts(file)).toEqual(['Helvetica'])
    expect(listPages(file.graph)).toHaveLength(1)
    expect(content(file)).toBe('BT /F1 24 Tf 72 720 Td (Hello) Tj ET')
    expect(file.revisions).toHaveLength(1)
    expect(file.repairs).toMatchObject({ crossReferenceRebuilt: false, mismatchedEntries: [] })
    expect(file.endOfFile).toBe(file.bytes.length)
  })

  test('tell where each object came from', () => {
    const bytes = buildPdf({ crossReference: 'stream', compressed: [5] })
    const file = readPdf(bytes)

    const page = file.provenance(3)
    expect(page).toMatchObject({ kind: 'offset', start: offsetOf(bytes, '3 0 obj') })
    expect(page?.section).toBe(file.sections[0])
    expect(file.provenance(5)).toMatchObject({ kind: 'compressed', index: 0 })
    expect(file.usesObjectStreams).toBe(true)
    expect(file.provenance(99)).toBeNull()
  })

  test('are read without copying the data of streams', () => {
    const file = readPdf(buildPdf())
    const contents = file.graph.get(4)

    expect(contents).toBeInstanceOf(PdfStream)
    expect((contents as PdfStream).data.buffer).toBe(file.bytes.buffer)
  })
})

describe('updates', () => {
  const updated = buildPdf({
    updates: [
      { objects: { 5: courier } },
      { objects: { 6: '(note)' }, freed: [4], crossReference: 'stream' },
    ],
  })

  test('replace, add and free objects', () => {
    const { graph } = readPdf(updated)

    expect(graph.get(5)).toEqual(new PdfDictionary(fontEntries('Courier')))
    expect(graph.has(6)).toBe(true)
    expect(graph.has(4)).toBe(false)
    expect(graph.get(4)).toBeNull()
  })

  test('are revisions, and the file up to the end of one is the document as it was', () => {
    const { revisions } = readPdf(updated)
    expect(revisions).toHaveLength(3)

    const [first, second] = revisions.map(({ end }) => readPdf(updated.subarray(0, end)))
    expect(first && baseFonts(first)).toEqual(['Helvetica'])
    expect(second && baseFonts(second)).toEqual(['Courier'])
    expect(second?.graph.has(4)).toBe(true)
    expect(first?.revisions).toHaveLength(1)
  })

  test('of a linearized file come on top of its one first revision', () => {
    const file = readPdf(buildPdf({ linearized: true, updates: [{ objects: { 5: courier } }] }))

    expect(file.linearization?.intact).toBe(true)
    expect(file.revisions).toHaveLength(2)
    expect(baseFonts(file)).toEqual(['Courier'])
    expect(file.sections.map(({ revision }) => revision)).toEqual([1, 0, 0])
  })

  test('of a hybrid file keep what only its stream knows', () => {
    const bytes = buildPdf({
      crossReference: 'hybrid',
      compressed: [5],
      updates: [{ objects: { 20: '(note)' } }],
    })
    const file = readPdf(bytes)

    expect(baseFonts(file)).toEqual(['Helvetica'])
    expect(file.revisions).toHaveLength(2)
    expect(file.repairs.brokenChain).toBe(false)
    expect(file.sections.find(({ hybrid }) => hybrid)?.revision).toBe(0)
  })

  test('are not counted where a whole PDF file is embedded without compression', () => {
    const inner = buildPdf({ updates: [{ objects: { 5: courier } }] })
    const file = readPdf(buildPdf({ objects: { ...onePage(), 6: stream(inner) } }))

    expect(file.revisions).toHaveLength(1)
    expect(baseFonts(file)).toEqual(['Helvetica'])
    expect(file.endOfFile).toBe(file.bytes.length)
  })
})

describe('damaged files', () => {
  test('without any cross-reference are scanned, and the last definition counts', () => {
    const bytes = buildPdf({
      crossReference: 'none',
      updates: [{ objects: { 5: courier } }],
    })
    const file = readPdf(bytes.subarray(0, bytes.lastIndexOf(0x78)))

    expect(baseFonts(file)).toEqual(['Courier'])
    expect(file.repairs).toMatchObject({ crossReferenceRebuilt: true })
  })

  test('cut off before their cross-reference still have the objects of object streams', () => {
    const bytes = buildPdf({ crossReference: 'stream', compressed: [1, 2, 3, 5] })
    const file = readPdf(bytes.subarray(0, offsetOf(bytes, '/Type /XRef') - 12))

    expect(baseFonts(file)).toEqual(['Helvetica'])
    expect(file.repairs).toMatchObject({ rootRebuilt: true, missingTrailer: true })
  })

  test('with an entry that points to another object are mended and the entry is recorded', () => {
    const whole = buildPdf()
    const bytes = buildPdf({
      updates: [{ objects: { 6: '(note)' }, entries: { 5: offsetOf(whole, '4 0 obj') } }],
    })
    const file = readPdf(bytes)

    expect(baseFonts(file)).toEqual(['Helvetica'])
    expect(file.repairs.mismatchedEntries).toMatchObject([
      { number: 5, section: { revision: 1 }, entry: { offset: offsetOf(whole, '4 0 obj') } },
    ])
  })

  test('with a table counted from 1 are read by their table', () => {
    const file = readPdf(replaceText(buildPdf(), 'xref\n0 6', 'xref\n1 6'))

    expect(baseFonts(file)).toEqual(['Helvetica'])
    expect(file.repairs.crossReferenceRebuilt).toBe(false)
  })

  test('whose /Prev leads to itself end', () => {
    const whole = buildPdf()
    const bytes = buildPdf({ trailer: `/Prev ${offsetOf(whole, 'xref\n')}` })
    const file = readPdf(bytes)

    expect(file.repairs.brokenChain).toBe(true)
    expect(baseFonts(file)).toEqual(['Helvetica'])
  })

  test('without endobj and with noise between objects are read', () => {
    const noisy = replaceText(buildPdf(), 'endobj\n5 0 obj', 'noise (\n5 0 obj')
    const bytes = replaceText(noisy, 'startxref', 'startxxxx')
    const file = readPdf(bytes)

    expect(baseFonts(file)).toEqual(['Helvetica'])
  })

  test.each([
    ['too short', 5],
    ['too long', 500],
    ['a name', '/Long'],
    ['a reference to the stream itself', '4 0 R'],
    ['a dangling reference', '77 0 R'],
  ])('whose stream has a /Length that is %s end it at endstream', (_, length) => {
    const data = 'BT (Hello) Tj ET'
    const bytes = buildPdf({ objects: { ...onePage(), 4: { dictionary: '', data, length } } })
    const file = readPdf(bytes)

    expect(content(file)).toBe(data)
    expect(file.lexicalFacts(4)).toMatchObject({ stream: { length: data.length } })
  })

  test('whose streams have no end are read, however many there are', () => {
    const data = 'q Q\n'.repeat(500)
    const streams = Array.from({ length: 300 }, (_, index) => [10 + index, stream(data)])
    const whole = buildPdf({ objects: { ...onePage(), ...Object.fromEntries(streams) } })
    const text = Buffer.from(whole).toString('latin1')
    const last = text.lastIndexOf('endstream')
    const tails = [text.slice(last), text.slice(last + 'endstream'.length)]
    for (const tail of tails) {
      const endless = text.slice(0, last).replaceAll('endstream', '') + tail
      const file = readPdf(new Uint8Array(Buffer.from(endless, 'latin1')))

      for (const number of [309, 10, 308, 150]) {
        const object = file.graph.get(number)
        const read = object instanceof PdfStream ? Buffer.from(object.data).toString('latin1') : ''
        expect(read.trimEnd()).toBe(data.trimEnd())
      }
    }
  })

  test('with an indirect /Length in an object stream are read by it', () => {
    const data = 'BT (endstream) Tj ET'
    const objects = { ...onePage(), 4: { dictionary: '', data, length: '6 0 R' }, 6: '20' }
    const file = readPdf(buildPdf({ objects, crossReference: 'stream', compressed: [6] }))

    expect(content(file)).toBe(data)
  })

  test('whose catalog is missing get one around their page tree', () => {
    const { 1: _, ...objects } = onePage()
    const file = readPdf(buildPdf({ objects }))

    expect(listPages(file.graph)).toHaveLength(1)
    expect(file.repairs.rootRebuilt).toBe(true)
  })

  test('whose catalog and page tree are missing get both around their pages', () => {
    const { 3: page = '', 4: content = '', 5: font = '' } = onePage()
    const file = readPdf(buildPdf({ objects: { 3: page, 4: content, 5: font } }))

    expect(listPages(file.graph).map(({ reference }) => reference?.number)).toEqual([3])
    expect(file.repairs.rootRebuilt).toBe(true)
  })

  test('without catalog and pages are refused', () => {
    expect(() => readPdf(new TextEncoder().encode('%PDF-1.4\n'))).toThrow(MalformedPdfError)
    expect(() => readPdf(new Uint8Array(0))).toThrow(MalformedPdfError)
    expect(() => readPdf(buildPdf({ objects: { 1: helvetica } }))).toThrow(MalformedPdfError)
  })
})

describe('hostile files', () => {
  test('with references in a circle resolve them to null', () => {
    const file = readPdf(buildPdf({ objects: { ...onePage(), 6: '7 0 R', 7: '6 0 R' } }))
    expect(file.graph.resolve(new PdfReference(6, 0))).toBeNull()
  })

  test('nested too deeply are a breach of limits', () => {
    const deep = '['.repeat(100_000)
    const file = readPdf(buildPdf({ objects: { ...onePage(), 6: deep } }))
    expect(() => file.graph.get(6)).toThrow(ResourceLimitError)
  })

  test('with object streams that extend each other in a circle end', () => {
    const objects = {
      ...onePage(),
      6: { dictionary: '/Type /ObjStm /N 0 /First 0 /Extends 7 0 R', data: '' },
      7: { dictionary: '/Type /ObjStm /N 0 /First 0 /Extends 6 0 R', data: '' },
    }
    const bytes = buildPdf({ objects, crossReference: 'stream' })
    const { graph } = readPdf(bytes)
    expect(graph.get(6)).toBeInstanceOf(PdfStream)
    expect(graph.get(7)).toBeInstanceOf(PdfStream)
  })

  test('whose streams together expand too far are a breach of limits', () => {
    const zeros = { dictionary: '/Filter /RunLengthDecode', data: '\x81\x00'.repeat(500) + '\x80' }
    const bytes = buildPdf({ objects: { ...onePage(), 6: zeros, 7: zeros } })
    const { graph } = readPdf(bytes, { ...defaultReadLimits, maxExpandedBytes: 100_000 })

    const decode = (number: number): Uint8Array | null =>
      decodeStream(graph, graph.get(number) as PdfStream)
    expect(decode(6)).toHaveLength(64_000)
    // The same stream again is not counted again.
    expect(decode(6)).toHaveLength(64_000)
    expect(() => decode(7)).toThrow(ResourceLimitError)
  })

  test('with more sections or objects than allowed are a breach of limits', () => {
    const updates = Array.from({ length: 5 }, () => ({ objects: { 5: courier } }))
    const bytes = buildPdf({ updates })
    expect(() => readPdf(bytes, { ...defaultReadLimits, maxSections: 3 })).toThrow(
      ResourceLimitError,
    )
    expect(() => readPdf(bytes, { ...defaultReadLimits, maxObjects: 4 })).toThrow(
      ResourceLimitError,
    )
  })

  test('with an object that would fill the memory are a breach of limits', () => {
    const wide = `[${'[]'.repeat(800_000)}]`
    const { graph } = readPdf(buildPdf({ objects: { ...onePage(), 6: wide } }))

    expect(() => graph.get(6)).toThrow('An object takes more than')
  })

  test('whose objects together would fill the memory are a breach of limits', () => {
    const objects = { ...onePage(), 6: `[${'<<>>'.repeat(100)}]`, 7: `[${'<<>>'.repeat(100)}]` }
    const limits = { ...defaultReadLimits, maxObjectBytes: 30_000 }

    for (const compressed of [[], [6, 7]]) {
      const { graph } = readPdf(buildPdf({ objects, crossReference: 'stream', compressed }), limits)
      expect(graph.get(6)).toHaveLength(100)
      expect(graph.get(6)).toHaveLength(100)
      expect(() => graph.get(7)).toThrow(ResourceLimitError)
    }
  })

  test('whose cross-reference stream has rows beyond number are a breach of limits', () => {
    const rows = {
      dictionary: '/Type /XRef /W [0 1 0] /Size 9999999 /Root 1 0 R /Filter /FlateDecode',
      data: deflateSync(new Uint8Array(5_000).fill(9)),
    }
    const bytes = buildPdf({ objects: { ...onePage(), 6: rows }, crossReference: 'none' })
    const withSection = Buffer.concat([
      bytes,
      Buffer.from(`startxref\n${offsetOf(bytes, '6 0 obj')}\n%%EOF\n`),
    ])

    const limits = { ...defaultReadLimits, maxObjects: 1_000 }
    expect(() => readPdf(new Uint8Array(withSection), limits)).toThrow('more than 1000 objects')
  })

  test('made of strings that never end are read in one pass or refused', () => {
    const unclosed = Array.from({ length: 20_000 }, (_, i) => `${i + 1} 0 obj\n(\n`).join('')
    const bytes = new TextEncoder().encode(`%PDF-1.7\n${unclosed}`)
    expect(() => readPdf(bytes)).toThrow(ResourceLimitError)
  })
})

describe('the object graph', () => {
  test('is edited in place', () => {
    const { graph } = readPdf(buildPdf())
    const added = graph.add(new PdfName('New'))

    expect(added.number).toBeGreaterThan(MAX_OBJECT_NUMBER)
    expect(isName(graph.resolve(added), 'New')).toBe(true)
    graph.delete(4)
    expect(graph.has(4)).toBe(false)
    graph.set(9, 7)
    expect([...graph.numbers()]).toEqual([1, 2, 3, 5, 9, added.number])
    expect(graph.add(null).number).toBeGreaterThan(added.number)
  })

  test('knows keys that stand twice with different values', () => {
    const { graph } = readPdf(
      buildPdf({ objects: { ...onePage(), 6: '<< /A [1 2] /B 1 /A [1 3] /B 1 >>' } }),
    )
    const dictionary = graph.get(6) as PdfDictionary

    expect(dictionary.get('A')).toEqual([1, 3])
    expect(dictionary.duplicateKeys).toEqual(new Set(['A']))
  })
})

describe('lexical facts', () => {
  test('are those of the bytes', () => {
    const file = readPdf(buildPdf({ objects: { ...onePage(), 6: '[<901FA> <90G1> <9012>]' } }))

    expect(file.lexicalFacts(6)).toMatchObject({
      objectSpacing: true,
      endobjSpacing: true,
      stream: null,
    })
    expect(file.odditiesOf(6)).toBe(Oddity.oddHexString | Oddity.foreignInHexString)
    expect(file.odditiesOf(4)).toBe(0)
    expect(file.lexicalFacts(4)).toMatchObject({
      stream: { keywordEol: true, endstreamEol: true, length: 36 },
    })
  })

  test('see what PDF/A forbids', () => {
    const spaced = replaceText(buildPdf(), '5 0 obj\n', '5  0 obj ')
    const squeezed = replaceText(spaced, 'ET\nendstream', 'ET endstream')
    const bytes = replaceText(squeezed, 'stream\nBT', 'stream\rBT')
    const file = readPdf(replaceText(bytes, '>>\nendobj\n3', '>> endobj\n3'))

    expect(file.lexicalFacts(5)).toMatchObject({ objectSpacing: false })
    expect(file.lexicalFacts(4)).toMatchObject({
      stream: { keywordEol: false, endstreamEol: false, length: 37 },
    })
    expect(file.lexicalFacts(2)).toMatchObject({ endobjSpacing: false })
  })
})

function fontEntries(baseFont: string): [string, PdfName][] {
  return [
    ['Type', new PdfName('Font')],
    ['Subtype', new PdfName('Type1')],
    ['BaseFont', new PdfName(baseFont)],
  ]
}

function baseFonts({ graph }: PdfFile): string[] {
  return listPages(graph).map(({ dictionary }) => {
    const resources = graph.resolve(dictionary.get('Resources')) as PdfDictionary
    const fonts = graph.resolve(resources.get('Font')) as PdfDictionary
    const font = graph.resolve(fonts.get('F1')) as PdfDictionary
    return (graph.resolve(font.get('BaseFont')) as PdfName).value
  })
}

function content({ graph }: PdfFile): string {
  const [page] = listPages(graph)
  const contents = graph.resolve(page?.dictionary.get('Contents')) as PdfStream
  return Buffer.from(decodeStream(graph, contents) ?? []).toString('latin1')
}
