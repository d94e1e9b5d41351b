import { TamperAnalysis } from '@pdfnorm/contracts/schema/tamper-analysis'
import { describe, expect, test } from 'vitest'
import { tamperDetection } from '../src/stages/1-tamper-detection.ts'
import {
  buildPdf,
  offsetOf,
  onePage,
  type PdfBody,
  type PdfUpdate,
  replaceText,
  stream,
} from './fixture/build-pdf.ts'
import { openedDocument } from './fixture/document.ts'
import { appearance, widget } from './fixture/signed-file.ts'

const catalog = (entries: string): string => `<< /Type /Catalog /Pages 2 0 R ${entries} >>`
const page = (entries: string): string =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 5 0 R >> >> ${entries} >>`
const lines = Array.from(
  { length: 40 },
  (_, index) => `BT /F1 12 Tf 72 ${700 - index * 15} Td (Line ${index}) Tj ET`,
)
const written: Record<number, PdfBody> = { ...onePage(), 4: stream(lines.join('\n')) }

describe('an update of a document that nobody signed is no anomaly', () => {
  const updates: Record<string, PdfUpdate | PdfUpdate[]> = {
    'an edited page': {
      objects: { 4: stream(lines.toSpliced(3, 1, 'BT (Other) Tj ET').join('\n')) },
    },
    'a page that is stamped': {
      objects: {
        3: page('/Contents [6 0 R 4 0 R 7 0 R]'),
        6: stream('q'),
        7: stream('Q (Draft) Tj'),
      },
    },
    'another font': { objects: { 5: '<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>' } },
    'pages that are added': {
      objects: {
        2: '<< /Type /Pages /Kids [3 0 R 6 0 R 7 0 R] /Count 3 >>',
        6: page(''),
        7: page(''),
      },
    },
    'annotations and links': {
      objects: {
        3: page('/Contents 4 0 R /Annots [6 0 R 7 0 R]'),
        6: '<< /Type /Annot /Subtype /FreeText /Rect [72 700 200 720] /Contents (new) >>',
        7: '<< /Type /Annot /Subtype /Link /Rect [72 700 200 720] /A << /S /URI /URI (https://example.org) >> >>',
      },
    },
    'annotations that are freed': [
      {
        objects: {
          3: page('/Contents 4 0 R /Annots [6 0 R]'),
          6: '<< /Type /Annot /Subtype /Text /Rect [0 0 9 9] >>',
        },
      },
      { freed: [6] },
    ],
    'a form that is added and filled in': [
      {
        objects: {
          1: catalog('/AcroForm << /Fields [6 0 R] >>'),
          3: page('/Contents 4 0 R /Annots [6 0 R]'),
          6: widget('/FT /Tx /T (Name)', '[72 100 200 120]', 7),
          7: appearance('BT ET'),
        },
      },
      {
        objects: {
          6: widget('/FT /Tx /T (Name) /V (Ada)', '[72 100 200 120]', 7),
          7: appearance('(Ada) Tj'),
        },
      },
    ],
    'metadata, outlines, a destination to open at': {
      objects: {
        1: catalog('/Outlines << /Count 0 >> /OpenAction [3 0 R /Fit] /Lang (de)'),
        6: '<< /Title (x) >>',
      },
      trailer: '/Info 6 0 R',
    },
    'an action that goes to a page': {
      objects: { 1: catalog('/OpenAction << /S /GoTo /D [3 0 R /Fit] >>') },
    },
    'all entries listed anew': { entries: {} },
    'scripts that nothing refers to': { objects: { 6: '<< /S /JavaScript /JS (x) >>' } },
  }
  test.each(Object.entries(updates))('%s', (_, update) => {
    const bytes = buildPdf({ objects: written, updates: [update].flat() })
    expect(anomaliesOf(bytes)).toEqual([])
    expect(openedAfterDetection(bytes).findings.security.incrementalUpdatesRemoved).toBe(true)
  })

  test('that names every object where it always stood, or where it stood before', () => {
    const once = buildPdf({ objects: written })
    const numbers = [1, 2, 3, 4, 5]
    const places = Object.fromEntries(
      numbers.map((number) => [number, offsetOf(once, `${number} 0 obj`)]),
    )
    const edited: PdfUpdate = { objects: { 4: stream('BT ET') } }
    const restored = buildPdf({ objects: written, updates: [edited, { entries: places }] })
    expect(anomaliesOf(restored)).toEqual([])
  })

  test('that is counted from a header which does not begin the file', () => {
    const bytes = buildPdf({ objects: written, before: '\xef\xbb\xbf', updates: [{ objects: {} }] })
    expect(anomaliesOf(bytes)).toEqual([])
  })
})

describe('an update brings in', () => {
  test.each([
    [
      'a script that runs when the document is opened',
      catalog('/OpenAction << /S /JavaScript /JS (x) >>'),
      'medium',
    ],
    ['a program that is started', catalog('/OpenAction << /S /Launch /F (x) >>'), 'medium'],
    [
      'an attachment',
      catalog('/Names << /EmbeddedFiles << /Names [(a) << /F (a) /EF << /F 6 0 R >> >>] >> >>'),
      'low',
    ],
  ])('%s', (_, root, severity) => {
    const bytes = buildPdf({ updates: [{ objects: { 1: root, 6: stream('data') } }] })
    expect(analysisOf(bytes).anomalies).toMatchObject([
      {
        type: 'INCREMENTAL_UPDATE_INJECTION',
        severity,
        location: expect.stringMatching(/^bytes \d+-\d+, revision 2 of 2$/),
      },
    ])
  })

  test('more of what the document had, which is no anomaly', () => {
    const scripted = { ...onePage(), 1: catalog('/OpenAction << /S /JavaScript /JS (x) >>') }
    const update = { objects: { 1: catalog('/OpenAction << /S /JavaScript /JS (y) >>') } }
    expect(anomaliesOf(buildPdf({ objects: scripted, updates: [update] }))).toEqual([])
  })

  test('other pages in the place of all that there were', () => {
    const update = {
      objects: {
        2: '<< /Type /Pages /Kids [6 0 R] /Count 1 >>',
        6: page('/Contents 7 0 R'),
        7: stream('(x) Tj'),
      },
    }
    expect(anomaliesOf(buildPdf({ objects: written, updates: [update] }))).toEqual([
      'INCREMENTAL_UPDATE_INJECTION low',
    ])
  })

  test('an object that lay unlisted in the bytes of before', () => {
    const hidden = '4 0 obj\n<< /Length 12 >>\nstream\nBT (x) Tj ET\nendstream\nendobj'
    const base = { objects: { ...written, 6: `(x)\nendobj\n${hidden}\n7 0 obj\n(y)` } }
    const offset = offsetOf(buildPdf(base), '4 0 obj\n<< /Length 12')
    const bytes = buildPdf({ ...base, updates: [{ entries: { 4: offset } }] })
    expect(anomaliesOf(bytes)).toContain('SHADOW_CONTENT_DETECTED medium')
    expect(analysisOf(bytes).anomalies.map(({ location }) => location)).toContainEqual(
      expect.stringMatching(`^bytes ${offset}-\\d+, object 4 0$`),
    )
  })

  test('an object out of an object stream in which it was never looked for', () => {
    const hidden = '5 0 << /Type /Font /Subtype /Type1 /BaseFont /Symbol >>'
    const base = buildPdf({
      objects: { ...written, 20: stream(hidden, '/Type /ObjStm /N 1 /First 4') },
    })
    const bytes = withCompressedEntry(base, 5, 20)
    const { file } = openedAfterDetection(bytes)
    expect(file.provenance(5)).toMatchObject({ kind: 'compressed', objectStream: 20 })
    expect(anomaliesOf(bytes)).toContain('SHADOW_CONTENT_DETECTED medium')
  })
})

test('a document that was saved once is not read a second time', () => {
  const bytes = replaceText(buildPdf(), '(Hello)', '(/ByteRange [0 1 2 3])')
  expect(anomaliesOf(bytes)).toEqual([])
})

/** Appends a cross-reference stream, number 21, which says that an object is the first one of an object stream. */
function withCompressedEntry(bytes: Uint8Array, number: number, holder: number): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1')
  const previous = /startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1]
  const rows = Buffer.alloc(12)
  rows.set([2, 0, 0, 0, holder, 0])
  rows.writeUInt8(1, 6)
  rows.writeUInt32BE(bytes.length, 7)
  const dictionary =
    `<< /Type /XRef /W [1 4 1] /Index [${number} 1 21 1] /Size 22 /Root 1 0 R ` +
    `/Prev ${previous} /Length 12 >>`
  const section = `21 0 obj\n${dictionary}\nstream\n${rows.toString('latin1')}\nendstream\nendobj\n`
  const end = `startxref\n${bytes.length}\n%%EOF\n`
  return new Uint8Array(Buffer.from(text + section + end, 'latin1'))
}

function openedAfterDetection(bytes: Uint8Array): ReturnType<typeof openedDocument> {
  const document = openedDocument(bytes)
  tamperDetection.run(document)
  return document
}

function analysisOf(bytes: Uint8Array): TamperAnalysis {
  return TamperAnalysis.parse(openedAfterDetection(bytes).findings.tamperAnalysis)
}

function anomaliesOf(bytes: Uint8Array): string[] {
  const { anomalies } = analysisOf(bytes)
  return anomalies.map(({ type, severity }) => `${type} ${severity}`).toSorted()
}
