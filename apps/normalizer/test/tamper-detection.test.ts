import { TamperAnalysis } from '@pdfnorm/contracts/schema/tamper-analysis'
import { describe, expect, test } from 'vitest'
import { emptyFindings } from '../src/findings.ts'
import { defaultOptions, type NormalizeOptions } from '../src/options.ts'
import { readPdf } from '../src/pdf/reading/read-pdf.ts'
import type { FindingsInProgress } from '../src/stage.ts'
import { tamperDetection } from '../src/stages/1-tamper-detection.ts'
import {
  buildPdf,
  offsetOf,
  onePage,
  type PdfObjects,
  replaceText,
  stream,
} from './fixture/build-pdf.ts'

const courier = '<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>'

describe('an ordinary file has no anomaly', () => {
  const files: Record<string, Uint8Array> = {
    'saved once': buildPdf(),
    'with object streams': buildPdf({ crossReference: 'stream', compressed: [1, 2, 3, 5] }),
    'that is linearized': buildPdf({ linearized: true }),
    'that is hybrid': buildPdf({ crossReference: 'hybrid', compressed: [5] }),
    'with a byte order mark': buildPdf({ before: '\xef\xbb\xbf' }),
    'with some white space around it': buildPdf({
      before: '\r\n\r\n',
      after: ' \r\n\0'.repeat(50),
    }),
    'that embeds another PDF file': buildPdf({
      objects: { ...onePage(), 6: stream(buildPdf({ updates: [{ objects: {} }] })) },
    }),
    'whose cross-reference is broken in every entry': shiftedEntries(),
  }
  test.each(Object.entries(files))('%s', (_, bytes) => {
    const { result, findings } = detect(bytes)

    expect(findings.tamperAnalysis).toEqual({
      riskLevel: 'none',
      anomaliesDetected: 0,
      anomalies: [],
    })
    expect(result).toBe('clean')
    expect(findings.warnings).toEqual([])
    expect(findings.security.incrementalUpdatesRemoved).toBe(false)
  })
})

test('the file whose every entry is broken is one that had to be mended', () => {
  const { repairs } = readPdf(shiftedEntries())
  expect(repairs.mismatchedEntries.length).toBeGreaterThanOrEqual(4)
})

describe('updates', () => {
  const updated = buildPdf({ updates: [{ objects: { 5: courier } }] })

  test('are reported as removed and are no anomaly', () => {
    const { result, findings } = detect(updated)

    expect(result).toBe('clean')
    expect(findings.security.incrementalUpdatesRemoved).toBe(true)
  })

  test('on top of a linearized file are told from its own two parts', () => {
    const bytes = buildPdf({ linearized: true, updates: [{ objects: { 5: courier } }] })
    expect(detect(bytes).findings.security.incrementalUpdatesRemoved).toBe(true)
  })

  test('of a signed file that is preserved stay', () => {
    const bytes = buildPdf({ objects: signed(), updates: [{ objects: { 5: courier } }] })

    const preserved = detect(bytes, { ...defaultOptions, signedPdfPolicy: 'preserve' })
    expect(preserved.findings.security.incrementalUpdatesRemoved).toBe(false)
    const stripped = detect(bytes, { ...defaultOptions, signedPdfPolicy: 'strip' })
    expect(stripped.findings.security.incrementalUpdatesRemoved).toBe(true)
  })

  test('that lead an entry to another object are an injection and shadow content', () => {
    const font = offsetOf(buildPdf(), '5 0 obj')
    const bytes = buildPdf({ updates: [{ objects: { 7: '(new)' }, entries: { 4: font } }] })
    const entryAt = offsetOf(bytes, 'xref\n4 1') + 9
    const { result, findings } = detect(bytes)

    expect(result).toBe('medium')
    expect(findings.tamperAnalysis?.anomalies).toMatchObject([
      {
        type: 'SHADOW_CONTENT_DETECTED',
        severity: 'medium',
        location: `offset ${font}, object 4 0, xref entry at ${entryAt}`,
      },
      {
        type: 'INCREMENTAL_UPDATE_INJECTION',
        severity: 'medium',
        location: `bytes ${buildPdf().length}-${bytes.length}, revision 2 of 2`,
      },
    ])
  })

  test('that lead an entry elsewhere in a signed file are critical', () => {
    const objects = signed()
    const font = offsetOf(buildPdf({ objects }), '5 0 obj')
    const bytes = buildPdf({
      objects,
      updates: [{ objects: { 9: '(new)' }, entries: { 4: font } }],
    })
    expect(detect(bytes).result).toBe('critical')
  })

  test('that no section lists are an injection', () => {
    const bytes = buildPdf({ after: `5 0 obj\n${courier}\nendobj\n%%EOF\n` })
    const { findings } = detect(bytes)

    expect(findings.tamperAnalysis?.anomalies).toMatchObject([
      {
        type: 'INCREMENTAL_UPDATE_INJECTION',
        severity: 'medium',
        location: `offset ${buildPdf().length}, object 5 0`,
      },
    ])
  })

  test('that go round in a circle are an injection', () => {
    const whole = buildPdf({ updates: [{ objects: { 5: courier } }] })
    const last = whole.length - (whole.length - buildPdf().length)
    const second = Buffer.from(whole).indexOf('xref\n', last, 'latin1')
    const bytes = replaceText(whole, `/Prev ${offsetOf(whole, 'xref\n')}`, `/Prev ${second}`)
    expect(types(bytes)).toEqual(['INCREMENTAL_UPDATE_INJECTION medium'])
  })

  test('that root another document are an injection', () => {
    const other = Object.fromEntries(
      Object.entries(onePage('Other')).map(([number, body]) => [
        Number(number) + 10,
        typeof body === 'string' ? body.replaceAll(/(\d) 0 R/g, '1$1 0 R') : body,
      ]),
    )
    expect(types(buildPdf({ updates: [{ objects: other, root: 11 }] }))).toEqual([
      'INCREMENTAL_UPDATE_INJECTION medium',
    ])
  })
})

describe('data behind the end', () => {
  test.each([
    ['a few bytes', 'x', 'low'],
    ['more than 1,024 bytes', 'x'.repeat(1025), 'medium'],
    ['more than 1,024 bytes of white space', ' '.repeat(1025), 'low'],
    ['an archive', 'PK\x03\x04', 'high'],
    ['a page', ' <HTML>', 'high'],
    ['a trailer', 'x trailer', 'high'],
    ['an object', 'x\n77 0 obj\n(x)\nendobj', 'high'],
  ])('is an anomaly: %s', (_, after, severity) => {
    const bytes = buildPdf({ after })
    const { findings } = detect(bytes)

    expect(findings.tamperAnalysis?.anomalies).toMatchObject([
      {
        type: 'POST_EOF_DATA',
        severity,
        location: `bytes ${buildPdf().length}-${bytes.length}`,
      },
    ])
  })

  test('is high in a signed file, whatever it is', () => {
    const bytes = buildPdf({ objects: signed(), after: 'x' })
    expect(types(bytes)).toContain('POST_EOF_DATA high')
  })

  test('is not told of a file without any end', () => {
    const whole = buildPdf()
    expect(types(whole.subarray(0, offsetOf(whole, '%%EOF')))).toEqual([])
  })
})

describe('the header', () => {
  test.each([
    ['names no version that exists', '1.9', 'medium'],
    ['names none at all', 'x.y', 'medium'],
    ['names 2.0', '2.0', null],
    ['names 1.0', '1.0', null],
  ])('%s', (_, version, severity) => {
    const found = severity === null ? [] : [`HEADER_VERSION_MISMATCH ${severity}`]
    expect(types(buildPdf({ version }))).toEqual(found)
  })

  test.each([
    ['text', 'From: someone\n\n', 'low'],
    ['nine spaces', ' '.repeat(9), 'low'],
    ['a program', 'MZ\x90\x00\n', 'high'],
    ['an object', '1 0 obj\n(x)\nendobj\n', 'high'],
  ])('stands behind %s', (_, before, severity) => {
    expect(types(buildPdf({ before }))).toEqual([`HEADER_VERSION_MISMATCH ${severity}`])
  })

  test('stands twice', () => {
    const bytes = buildPdf({ objects: { ...onePage(), 6: '(note)\n%PDF-1.4' } })
    expect(types(bytes)).toEqual(['HEADER_VERSION_MISMATCH medium'])
  })

  test('and the catalog disagree', () => {
    const withVersion = (version: string): PdfObjects => ({
      ...onePage(),
      1: `<< /Type /Catalog /Pages 2 0 R /Version /${version} >>`,
    })
    const low = ['HEADER_VERSION_MISMATCH low']
    expect(types(buildPdf({ version: '1.4', objects: withVersion('1.3') }))).toEqual(low)
    expect(types(buildPdf({ version: '1.4', objects: withVersion('1.7') }))).toEqual(low)
    // An update is how a document's version is raised.
    const raised = { version: '1.4', updates: [{ objects: withVersion('1.7') }] }
    expect(types(buildPdf(raised))).toEqual([])
  })

  test('names a version without the features that are used', () => {
    const low = ['HEADER_VERSION_MISMATCH low']
    expect(types(buildPdf({ version: '1.4', crossReference: 'stream' }))).toEqual(low)
    const group = '<< /S /Transparency >>'
    const page = `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Group ${group} >>`
    expect(types(buildPdf({ version: '1.3', objects: { ...onePage(), 3: page } }))).toEqual(low)
    expect(types(buildPdf({ version: '1.4', objects: { ...onePage(), 3: page } }))).toEqual([])
  })
})

describe('signatures', () => {
  test('with a field are no anomaly', () => {
    expect(types(buildPdf({ objects: signed() }))).toEqual([])
  })

  test('that no field refers to are orphaned', () => {
    const objects = { ...signed(), 7: '<< /FT /Sig /T (Signature) >>' }
    expect(types(buildPdf({ objects }))).toEqual(['ORPHANED_SIGNATURE_FIELD high'])
  })

  test('that only grant usage rights are not orphaned', () => {
    const objects = {
      ...onePage(),
      1: '<< /Type /Catalog /Pages 2 0 R /Perms << /UR3 8 0 R >> >>',
      8: signed()[8] ?? '',
    }
    expect(types(buildPdf({ objects }))).toEqual([])
  })

  test.each([
    ['missing', '99 0 R'],
    ['null', 'null'],
    ['no dictionary', '(signed)'],
    ['without a byte range', '<< /Type /Sig /Contents <01> >>'],
    ['all zero', '<< /Type /Sig /ByteRange [0 1 2 3] /Contents <0000> >>'],
  ])('are orphaned fields when they are %s', (_, value) => {
    const { 8: __, ...unsigned } = signed()
    const objects = { ...unsigned, 7: `<< /FT /Sig /T (Signature) /V ${value} >>` }
    expect(types(buildPdf({ objects }))).toContain('ORPHANED_SIGNATURE_FIELD medium')
  })

  test('that are announced need a field, and an empty one is enough', () => {
    const catalog = (fields: string): PdfObjects => ({
      ...onePage(),
      1: `<< /Type /Catalog /Pages 2 0 R /AcroForm << /SigFlags 3 /Fields [${fields}] >> >>`,
      7: '<< /FT /Sig /T (Signature) >>',
    })
    expect(types(buildPdf({ objects: catalog('') }))).toEqual(['ORPHANED_SIGNATURE_FIELD low'])
    expect(types(buildPdf({ objects: catalog('7 0 R') }))).toEqual([])
  })

  test('with anything but themselves in the gap of their byte range are critical', () => {
    const whole = buildPdf({ objects: signed() })
    const gap = offsetOf(whole, '<0102>')
    const withRange = (start: number, end: number): Uint8Array =>
      replaceText(whole, '[0 000 000 009]', `[0 ${start} ${end} 009]`)

    expect(types(withRange(gap, gap + 6))).toEqual([])
    expect(types(withRange(gap + 1, gap + 5))).toEqual([])
    expect(types(withRange(gap - 8, gap + 6))).toEqual(['SHADOW_CONTENT_DETECTED critical'])
    expect(types(withRange(gap, gap + 9))).toEqual(['SHADOW_CONTENT_DETECTED critical'])
  })
})

describe('the report', () => {
  test('is ordered by severity, then by place, keeps the form of the contract and warns once', () => {
    const { result, findings } = detect(
      buildPdf({ version: '1.4', crossReference: 'stream', before: 'note: x\n\n', after: 'MZ' }),
    )

    expect(result).toBe('high')
    const analysis = TamperAnalysis.parse(findings.tamperAnalysis)
    expect(analysis.anomalies.map(({ type, severity }) => `${type} ${severity}`)).toEqual([
      'POST_EOF_DATA high',
      'HEADER_VERSION_MISMATCH low',
      'HEADER_VERSION_MISMATCH low',
    ])
    expect(findings.warnings).toEqual([
      {
        code: 'TAMPER_ANOMALY',
        message: '3 anomalies were found in the original file; the highest severity is high.',
      },
    ])
  })

  test('lists twenty of a kind and counts them all', () => {
    const fields = Array.from({ length: 25 }, (_, i) => i + 10)
    const objects = Object.fromEntries(
      fields.map((number) => [number, `<< /FT /Sig /T (S${number}) /V (x) >>`]),
    )
    const references = fields.map((number) => `${number} 0 R`).join(' ')
    const catalog = `<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [${references}] >> >>`
    const { findings } = detect(buildPdf({ objects: { ...onePage(), ...objects, 1: catalog } }))

    expect(findings.tamperAnalysis?.anomaliesDetected).toBe(25)
    expect(findings.tamperAnalysis?.anomalies).toHaveLength(20)
  })
})

/** A form with one signature field 7 and its value 8, which signs nothing that could be checked. */
function signed(): Record<number, PdfObjects[number]> {
  return {
    ...onePage(),
    1: '<< /Type /Catalog /Pages 2 0 R /AcroForm << /SigFlags 3 /Fields [7 0 R] >> >>',
    7: '<< /FT /Sig /T (Signature) /V 8 0 R >>',
    8: '<< /Type /Sig /Filter /Adobe.PPKLite /ByteRange [0 000 000 009] /Contents <0102>    >>',
  }
}

/** Each entry leads to the object before: a tool that counted badly. */
function shiftedEntries(): Uint8Array {
  const bytes = buildPdf()
  const lines = Buffer.from(bytes)
    .toString('latin1')
    .matchAll(/\d{10} 00000 n/g)
    .map(([line]) => line)
    .toArray()
  let shifted = bytes
  for (const [index, line] of lines.entries()) {
    shifted = replaceText(shifted, line, `${(lines[index - 1] ?? line).slice(0, 10)} 00000 N`)
  }
  return new Uint8Array(
    Buffer.from(Buffer.from(shifted).toString('latin1').replaceAll(' N \n', ' n \n'), 'latin1'),
  )
}

function detect(
  bytes: Uint8Array,
  options: NormalizeOptions = defaultOptions,
): { result: string; findings: FindingsInProgress } {
  const findings = emptyFindings()
  const result = tamperDetection.run({
    options,
    file: readPdf(bytes),
    findings,
    output: null,
    contentHash: null,
    now: new Date(0),
  })
  return { result, findings }
}

function types(bytes: Uint8Array): string[] {
  const { findings } = detect(bytes)
  return (findings.tamperAnalysis?.anomalies ?? []).map(
    ({ type, severity }) => `${type} ${severity}`,
  )
}
