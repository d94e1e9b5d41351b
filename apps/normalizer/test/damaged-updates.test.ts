import type { TamperAnalysis, TamperAnomaly } from '@pdfnorm/contracts/schema/tamper-analysis'
import { describe, expect, test } from 'vitest'
import { tamperDetection } from '../src/stages/1-tamper-detection.ts'
import {
  buildPdf,
  offsetOf,
  onePage,
  type PdfObjects,
  replaceText,
  stream,
} from './fixture/build-pdf.ts'
import { openedDocument } from './fixture/document.ts'

const objects = { 5: '<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>' }

describe.each(['table', 'stream'] as const)('an update with a cross-reference %s', (kind) => {
  const update = { objects, crossReference: kind }
  const whole = buildPdf({ crossReference: kind, updates: [update] })
  const signed = buildPdf({ objects: signedForm(), crossReference: kind, updates: [update] })

  const lastLines = (bytes: Uint8Array): number => Buffer.from(bytes).lastIndexOf('startxref')
  const announcing = (bytes: Uint8Array, offset: string): Uint8Array =>
    joined(bytes.subarray(0, lastLines(bytes)), `startxref\n${offset}\n%%EOF\n`)
  const damages: [string, (bytes: Uint8Array) => Uint8Array, severity: 'none' | 'low'][] = [
    ['whose startxref leads to the first byte', (bytes) => announcing(bytes, '0'), 'none'],
    ['whose startxref leads out of the file', (bytes) => announcing(bytes, '99999'), 'none'],
    ['whose startxref leads a little aside', (bytes) => announcing(bytes, '700'), 'none'],
    ['without its %%EOF', (bytes) => bytes.subarray(0, bytes.length - 6), 'none'],
    ['without its last lines', (bytes) => bytes.subarray(0, lastLines(bytes)), 'low'],
    [
      'without its startxref',
      (bytes) => joined(bytes.subarray(0, lastLines(bytes)), '%%EOF'),
      'low',
    ],
    [
      'that was cut off within an object',
      (bytes) => bytes.subarray(0, Buffer.from(bytes).lastIndexOf('/Courier')),
      'low',
    ],
  ]

  test.each(damages)('%s is damage where nobody signed the file', (_, damage, severity) => {
    expect(riskLevel(whole)).toBe('none')
    expect(riskLevel(damage(whole))).toBe(severity)
  })

  test.each(damages.filter(([title]) => !title.includes('a little aside')))(
    '%s is an injection where somebody did',
    (_, damage) => {
      expect(['high', 'critical']).toContain(riskLevel(damage(signed)))
    },
  )
})

test('a save that signed the file and lost its last lines is an injection: readers disagree about it', () => {
  const save = { objects: signedForm() }
  const signed = buildPdf({ objects: onePage(), updates: [save] })
  const cut = signed.subarray(0, Buffer.from(signed).lastIndexOf('startxref'))
  expect(riskLevel(cut)).toBe('high')
})

test('an object behind the end that no section lists is meant', () => {
  const after = `5 0 obj\n${objects[5]}\nendobj\n`
  expect(riskLevel(buildPdf({ after }))).toBe('high')
  expect(riskLevel(buildPdf({ after: `${after}%%EOF\n` }))).toBe('medium')
})

test('a second section that stands for itself is meant where startxref leads to neither', () => {
  const whole = buildPdf({ updates: [{ objects }] })
  const damaged = joined(
    whole.subarray(0, Buffer.from(whole).lastIndexOf('startxref')),
    'startxref\n0\n%%EOF\n',
  )
  expect(riskLevel(damaged)).toBe('none')
  expect(riskLevel(replaceText(damaged, '/Prev', '/Prex'))).toBe('medium')
})

test('a byte that came into the middle of a file brings nothing in from where it lay hidden', () => {
  const whole = buildPdf({ updates: [{ objects }] })
  const at = offsetOf(whole, 'Helvetica')
  const shifted = joined(whole.subarray(0, at), 'X', whole.subarray(at))
  expect(riskLevel(shifted)).toBe('none')
})

describe('an update with a catalog of its own', () => {
  const page = (parent: number, contents: number): string =>
    `<< /Type /Page /Parent ${parent} 0 R /MediaBox [0 0 9 9] /Contents ${contents} 0 R >>`
  const other = (kids: string): PdfObjects => ({
    11: '<< /Type /Catalog /Pages 12 0 R >>',
    12: `<< /Type /Pages /Kids [${kids}] /Count 1 >>`,
    13: page(12, 4),
    14: page(12, 15),
    15: stream('q Q'),
  })

  test('may hold copies of the pages, with the contents that they had', () => {
    const appended = buildPdf({ updates: [{ objects: other('13 0 R 14 0 R'), root: 11 }] })
    expect(['none', 'low']).toContain(riskLevel(appended))
  })

  test('is another document when its pages show other contents', () => {
    const { 13: _, ...without } = other('14 0 R')
    expect(riskLevel(buildPdf({ updates: [{ objects: without, root: 11 }] }))).toBe('medium')
    const rewritten = { ...other('13 0 R'), 4: stream('BT (Other) Tj ET') }
    expect(riskLevel(buildPdf({ updates: [{ objects: rewritten, root: 11 }] }))).toBe('medium')
  })
})

describe('a key that stands twice', () => {
  const catalog = (entries: string): Uint8Array =>
    buildPdf({ objects: { ...onePage(), 1: `<< /Type /Catalog /Pages 2 0 R ${entries} >>` } })

  test.each([
    '/OpenAction [3 0 R /Fit] /OpenAction [3 0 R /FitH 9]',
    '/PageMode /UseNone /PageMode /UseOutlines',
  ])('is odd where it decides nothing that is shown: %s', (entries) => {
    expect(riskLevel(catalog(entries))).toBe('low')
  })

  test.each([
    '/Pages 9 0 R /Pages 2 0 R',
    '/AcroForm << >> /AcroForm << /NeedAppearances true >>',
    '/OCProperties << >> /OCProperties null',
  ])('is a confusion where it decides what is shown: %s', (entries) => {
    expect(riskLevel(catalog(entries))).toBe('medium')
  })
})

describe('a signature', () => {
  test.each([
    '[0 10 20 -5]',
    '[0 100]',
    '[0 0 0 0]',
    '[0 10 20 0]',
    '[0 1.5 20 9]',
    '[0 10 20 9 30 9]',
    '[(0) 1 2 3]',
  ])('does not say what it signs with the byte range %s', (range) => {
    const bytes = buildPdf({ objects: signedForm(range) })
    expect(anomalies(bytes)).toContainEqual({
      type: 'ORPHANED_SIGNATURE_FIELD',
      severity: 'medium',
      description: 'A signature field has a value that does not say what it signs.',
      location: expect.stringMatching(/^bytes \d+-\d+, object 7 0$/) as string,
    })
  })

  test('that is merely broken says what it signs', () => {
    for (const range of ['[0 10 20 99999]', '[5 10 20 9]', '[0 9 0 9]']) {
      const found = anomalies(buildPdf({ objects: signedForm(range) }))
      expect(found.filter(({ type }) => type === 'ORPHANED_SIGNATURE_FIELD')).toEqual([])
    }
  })
})

/** A form with one signature field 7 and its value 8, which signs nothing that could be checked. */
function signedForm(range = '[0 000 000 009]'): Record<number, PdfObjects[number]> {
  return {
    ...onePage(),
    1: '<< /Type /Catalog /Pages 2 0 R /AcroForm << /SigFlags 3 /Fields [7 0 R] >> >>',
    7: '<< /FT /Sig /T (Signature) /V 8 0 R >>',
    8: `<< /Type /Sig /Filter /Adobe.PPKLite /ByteRange ${range} /Contents <0102> >>`,
  }
}

function joined(...parts: readonly (Uint8Array | string)[]): Uint8Array {
  const buffers = parts.map((part) =>
    typeof part === 'string' ? Buffer.from(part, 'latin1') : part,
  )
  return new Uint8Array(Buffer.concat(buffers))
}

function anomalies(bytes: Uint8Array): readonly TamperAnomaly[] {
  return analysis(bytes)?.anomalies ?? []
}

function riskLevel(bytes: Uint8Array): string | undefined {
  return analysis(bytes)?.riskLevel
}

function analysis(bytes: Uint8Array): TamperAnalysis | null {
  const document = openedDocument(bytes)
  tamperDetection.run(document)
  return document.findings.tamperAnalysis
}
