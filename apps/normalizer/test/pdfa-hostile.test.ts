import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { mutate } from '../fuzz/mutations.ts'
import { seededRandom } from '../fuzz/random.ts'
import {
  defaultReadLimits,
  MalformedPdfError,
  ResourceLimitError,
} from '../src/pdf/reading/read-limits.ts'
import { readPdf } from '../src/pdf/reading/read-pdf.ts'
import type { PdfFile } from '../src/pdf/pdf-file.ts'
import { flavours } from '../src/pdfa/flavour.ts'
import { validatePdfa } from '../src/pdfa/validate-pdfa.ts'
import { stream } from './fixture/build-pdf.ts'
import { pdfaDocument } from './fixture/pdfa-document.ts'

test('a limit that is broken ends validation with a line that says so, beside what was found before', () => {
  const deflated = stream(deflateSync('q Q '.repeat(100)), '/Filter /FlateDecode')
  const bytes = pdfaDocument('2b', { trailer: { ID: null }, objects: { 4: deflated } })
  const file = readPdf(bytes, { ...defaultReadLimits, maxExpandedBytes: 100, maxExpansion: 0 })
  const { completed, compliant, errors, fault } = validatePdfa(file, '2b')

  expect([completed, compliant, fault]).toEqual([false, false, undefined])
  expect(errors).toHaveLength(2)
  expect(errors[0]).toMatch(/^ISO 19005-2:2011 6\.1\.3 t1: /)
  expect(errors[1]).toMatch(/^Validation ended early: .* expands? to more than 100 bytes/)
})

test('images are not decoded, however large they are', () => {
  const pixels = deflateSync(Buffer.alloc(30_000))
  const image = '/Type /XObject /Subtype /Image /Width 100 /Height 100 /BitsPerComponent 8'
  const bytes = pdfaDocument('2b', {
    resources: { XObject: '<< /I 20 0 R >>' },
    content: '/I Do',
    objects: { 20: stream(pixels, `${image} /ColorSpace /DeviceRGB /Filter /FlateDecode`) },
  })
  const file = readPdf(bytes, { ...defaultReadLimits, maxExpandedBytes: 10_000, maxExpansion: 0 })

  expect(validatePdfa(file, '2b')).toMatchObject({ completed: true, compliant: true })
})

test('content that draws itself many times over ends validation', () => {
  const levels = Array.from({ length: 40 }, (_, level) => {
    const resources = `/Resources << /XObject << /X ${level + 21} 0 R >> >>`
    return [level + 20, stream('/X Do /X Do', `/Subtype /Form /BBox [0 0 9 9] ${resources}`)]
  })
  const bytes = pdfaDocument('2b', {
    resources: { XObject: '<< /X 20 0 R >>' },
    content: '/X Do /X Do',
    objects: {
      ...Object.fromEntries(levels),
      60: stream('0 0 m', '/Subtype /Form /BBox [0 0 9 9]'),
    },
  })

  expect(validatePdfa(readPdf(bytes), '2b')).toMatchObject({ completed: true, errors: [] })
})

test('an encrypted document is judged as far as it can be read', () => {
  const bytes = pdfaDocument('2b', { trailer: { Encrypt: '<< /Filter /Standard >>' } })

  expect(validatePdfa(readPdf(bytes), '2b')).toMatchObject({
    completed: false,
    compliant: false,
    errors: [
      expect.stringMatching(/^ISO 19005-2:2011 6\.1\.3 t2: /),
      'Validation ended early: the document is encrypted',
    ],
  })
})

test.for([
  ['/Kids [] /Count 0', 'the page tree leads to no page'],
  ['/Count 1', 'the page tree leads to no page'],
  ['/Kids [3 0 R 99 0 R] /Count 2', 'the page tree has an entry that is no page'],
] as const)('of a document with %s nothing can be said', ([tree, reason]) => {
  const bytes = pdfaDocument('2b', { objects: { 2: `<< /Type /Pages ${tree} >>` } })

  expect(validatePdfa(readPdf(bytes), '2b')).toMatchObject({
    completed: false,
    compliant: false,
    errors: [`Validation ended early: ${reason}`],
  })
})

test('a thousand places at which a rule fails are told as ten', () => {
  const objects = Array.from({ length: 1000 }, (_, index) => [index + 20, '<abc>'])
  const bytes = pdfaDocument('2b', { objects: Object.fromEntries(objects) })
  const { errors } = validatePdfa(readPdf(bytes), '2b')

  expect(errors).toHaveLength(10)
  expect(errors[0]).toMatch(/^ISO 19005-2:2011 6\.1\.6 t1: .*[^;] \(object 20 0\)$/)
  expect(errors[9]).toMatch(/^ISO 19005-2:2011 6\.1\.6 t1: .*; 990 more like this \(object 29 0\)$/)
})

test('what stands in the document makes no line longer or other than a line', () => {
  const name = `/#0a#1b[31m${'x'.repeat(100_000)}`
  const bytes = pdfaDocument('4', {
    catalog: { OpenAction: `<< /S ${name} >>` },
    content: 'wxyz',
  })
  const { errors } = validatePdfa(readPdf(bytes), '4')

  const rules = errors.map((line) => /\d\.\S+ t\d+/.exec(line)?.[0])
  expect(rules).toEqual(['6.2.2 t1', '6.6.1 t1'])
  for (const line of errors) {
    expect(line).toMatch(/^[^\p{Cc}]*$/u)
    expect(line.length).toBeLessThan(500)
  }
})

test('nothing in a damaged document breaks the validator', { timeout: 30_000 }, () => {
  const random = seededRandom(8)
  const documents = flavours.map((flavour) => textOf(pdfaDocument(flavour, everything)))
  for (let round = 0; round < 600; round++) {
    const { file } = mutate(random.pick(documents), random, random.pick(documents))
    const damaged = readable(Buffer.from(file, 'latin1'))
    if (damaged === null) continue
    const { fault } = validatePdfa(damaged, random.pick(flavours))
    expect(fault).toBeUndefined()
  }
})

/** Something for every part of the validator to read. */
const everything = {
  content:
    '/Sp cs 0.5 scn /G gs /Span << /Lang (en) /ActualText (x) >> BDC BT /F 9 Tf (ab) Tj ET EMC /X Do ' +
    'BI /W 1 /H 1 /BPC 1 /CS /G ID \x00 EI',
  resources: {
    ColorSpace: '<< /Sp [/Separation /Spot /DeviceRGB 22 0 R] >>',
    ExtGState: '<< /G << /BM /Multiply /SMask /None /HT << /HalftoneType 1 >> >> >>',
    Font: '<< /F 20 0 R >>',
    XObject: '<< /X 23 0 R >>',
  },
  page: {
    Annots: '[<< /Subtype /Link /F 4 /Rect [0 0 9 9] /A << /S /URI /URI (http://a) >> >>]',
    Group: '<< /S /Transparency /CS /DeviceRGB >>',
  },
  catalog: {
    AcroForm: '<< /Fields [<< /FT /Tx /T (a) /Kids [] >>] >>',
    Outlines: '<< /First << /Title (a) /Dest [3 0 R /Fit] >> >>',
    OCProperties: '<< /OCGs [] /D << /Name (a) /Order [] >> >>',
    StructTreeRoot: '<< /RoleMap << /A /P >> /K << /S /A /Lang (en) >> >>',
  },
  objects: {
    20: '<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding 24 0 R /DescendantFonts [21 0 R] >>',
    21:
      '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /A /CIDToGIDMap /Identity /W [1 [500]] ' +
      '/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>',
    22: stream('{ dup dup }', '/FunctionType 4 /Domain [0 1] /Range [0 1 0 1 0 1]'),
    23: stream('0 g', '/Subtype /Form /BBox [0 0 9 9] /Group << /S /Transparency >>'),
    24: stream('1 begincidrange <0000> <ffff> 0 endcidrange', '/CMapName /A /WMode 0'),
  },
} as const

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1')
}

function readable(bytes: Uint8Array): PdfFile | null {
  try {
    return readPdf(bytes)
  } catch (error) {
    if (error instanceof MalformedPdfError || error instanceof ResourceLimitError) return null
    throw error
  }
}
