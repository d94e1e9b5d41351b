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

describe('a file that was damaged on its way', () => {
  const twoSaves = buildPdf({ updates: [{ objects: { 5: courier } }] })
  const linearized = buildPdf({ linearized: true })
  const files: Record<string, Uint8Array> = {
    'with other ends of lines': Buffer.from(
      Buffer.from(twoSaves).toString('latin1').replaceAll('\n', '\r\n'),
      'latin1',
    ),
    'with something put in by hand': replaceText(twoSaves, '(Hello)', `(Hello${' '.repeat(70)})`),
    'cut off within an object': buildPdf().subarray(0, offsetOf(buildPdf(), 'Helvetica')),
    'linearized, and cut off behind its first part': linearized.subarray(
      0,
      offsetOf(linearized, '4 0 obj') + 40,
    ),
  }
  test.each(Object.entries(files))('raises no alarm: %s', (_, bytes) => {
    const { repairs } = readPdf(new Uint8Array(bytes))
    expect(repairs.crossReferenceRebuilt).toBe(true)
    expect(types(new Uint8Array(bytes))).toEqual([])
  })
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

  const sectionsOf = (bytes: Uint8Array): [first: number, second: number] => {
    const text = Buffer.from(bytes).toString('latin1')
    const first = text.indexOf('xref\n')
    return [first, text.indexOf('xref\n', text.indexOf('%%EOF'))]
  }

  test('whose chain leads forward or out of the file are an injection', () => {
    const bytes = buildPdf({ updates: [{ objects: { 5: courier } }] })
    const [first] = sectionsOf(bytes)
    const outside = replaceText(bytes, `/Prev ${first}`, '/Prev 99999')
    expect(types(outside)).toEqual(['INCREMENTAL_UPDATE_INJECTION medium'])

    const twice = buildPdf({ updates: [{ objects: { 5: courier } }, { objects: { 6: '(x)' } }] })
    const [, second] = sectionsOf(twice)
    const text = Buffer.from(twice).toString('latin1')
    const third = text.indexOf('xref\n', text.indexOf('%%EOF', second))
    const at = text.lastIndexOf(`startxref\n${third}`)
    // The last startxref leads to the second section, whose /Prev leads on to the third.
    const forward = new Uint8Array(
      Buffer.from(
        text.slice(0, at).replace(`/Prev ${first}`, `/Prev ${third}`) +
          `startxref\n${second}\n%%EOF\n`,
        'latin1',
      ),
    )
    expect(types(forward)).toContain('INCREMENTAL_UPDATE_INJECTION medium')
  })

  test('without a part of their own are graver in a signed file', () => {
    const bytes = buildPdf({ objects: signed(), updates: [{ objects: { 9: '(new)' } }] })
    expect(types(replaceText(bytes, '%%EOF', '     '))).toContain(
      'INCREMENTAL_UPDATE_INJECTION high',
    )
  })

  const changed = '5 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>\nendobj\n'
  const trailer = 'trailer\n<< /Size 9 /Root 1 0 R >>\n'
  const table = 'xref\n5 1\n0000000000 00000 n \n'
  const oldSection = offsetOf(buildPdf({ objects: signed() }), 'xref\n')
  test.each([
    ['its objects alone', changed],
    ['no section', `${changed}${trailer}`],
    ['no trailer', `${changed}${table}`],
    ['no startxref', `${changed}${table}${trailer}%%EOF\n`],
    ['the startxref of the save before', `${changed}startxref\n${oldSection}\n%%EOF\n`],
    ['a startxref that leads nowhere', `${changed}startxref\n0\n%%EOF\n`],
  ])('of a signed file that consist of %s are found', (_, after) => {
    const found = types(buildPdf({ objects: signed(), after }))
    expect(found).toContain('INCREMENTAL_UPDATE_INJECTION high')
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

  test('of PDF/A-4 may name any minor version of 2', () => {
    const claim =
      '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
      '<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" pdfaid:part="4"/>' +
      '</rdf:RDF></x:xmpmeta>'
    const objects = {
      ...onePage(),
      1: '<< /Type /Catalog /Pages 2 0 R /Metadata 6 0 R >>',
      6: stream(claim, '/Type /Metadata /Subtype /XML'),
    }
    expect(types(buildPdf({ version: '2.9', objects }))).toEqual([])
    expect(types(buildPdf({ version: '2.9' }))).toEqual(['HEADER_VERSION_MISMATCH medium'])
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

  test('that only a page has are orphaned, gravely unless they sign the whole file', () => {
    const objects = (range: string): PdfObjects => ({
      ...signed(),
      1: '<< /Type /Catalog /Pages 2 0 R >>',
      3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Annots [7 0 R] >>',
      7: '<< /Subtype /Widget /FT /Sig /T (Signature) /V 8 0 R /Rect [0 0 0 0] >>',
      8: `<< /Type /Sig /ByteRange [${range}] /Contents <0102> >>`,
    })
    const four = (...numbers: number[]): string =>
      numbers.map((number) => String(number).padStart(4, '0')).join(' ')
    const draft = buildPdf({ objects: objects(four(0, 0, 0, 0)) })
    const gap = offsetOf(draft, '<0102>')
    const found = (range: string): string[] => types(buildPdf({ objects: objects(range) }))

    const whole = four(0, gap, gap + 6, draft.length - gap - 6)
    expect(found(whole)).toEqual(['ORPHANED_SIGNATURE_FIELD low'])
    expect(found(four(0, gap, gap + 6, 20))).toContain('ORPHANED_SIGNATURE_FIELD high')
  })

  test('that only grant usage rights may leave out what they like: they sign nothing', () => {
    const objects = {
      ...onePage(),
      1: '<< /Type /Catalog /Pages 2 0 R /Perms << /UR3 8 0 R >> >>',
      8: '<< /Type /Sig /ByteRange [0 10 20 30] /Contents <0102> >>',
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

  test('with an object in the gap that tears their dictionary are critical', () => {
    const torn = (contents: string): Uint8Array => {
      const value = (range: string): string => `<< /Type /Sig /Contents ${contents} ${range} >>`
      const withRange = (range: string): Uint8Array =>
        buildPdf({ objects: { ...signed(), 8: value(range) } })
      const draft = withRange('/ByteRange [0 00000 00000 00009]')
      const gap = offsetOf(draft, contents)
      const [start, end] = [gap, gap + contents.length].map((at) => String(at).padStart(5, '0'))
      return withRange(`/ByteRange [0 ${start} ${end} 00009]`)
    }
    const critical = 'SHADOW_CONTENT_DETECTED critical'
    expect(types(torn('<0102> 5 0 obj (x) endobj 000000>'))).toContain(critical)
    expect(types(torn('<0102>'))).toEqual([])
    // What tears it stands outside of the gap.
    const outside = replaceText(torn('<0102>'), '/ByteRange', '9 0 obj (x) endobj /ByteRange')
    expect(types(outside)).not.toContain(critical)
  })

  test('are only broken when a program wrote the file anew and their byte range is stale', () => {
    const whole = buildPdf({ objects: signed() })
    const gap = offsetOf(whole, '<0102>')
    const stale = (shift: number): Uint8Array =>
      replaceText(whole, '[0 000 000 009]', `[0 ${gap + shift} ${gap + shift + 6} 009]`)

    for (const shift of [-20, -3, 3, 60]) expect(types(stale(shift))).toEqual([])
  })
})

describe('what readers disagree about', () => {
  test('is told of resources, wherever they stand, and not of what programs keep for themselves', () => {
    const page = (entries: string): PdfObjects => ({
      ...onePage(),
      3: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R ${entries} >>`,
      6: '<< /Font << /F1 5 0 R /F1 7 0 R >> >>',
      7: courier,
    })
    const medium = ['SHADOW_CONTENT_DETECTED medium']
    const twice = '<< /F1 5 0 R /F1 7 0 R >>'
    expect(types(buildPdf({ objects: page(`/Resources << /Font ${twice} >>`) }))).toEqual(medium)
    expect(types(buildPdf({ objects: page('/Resources 6 0 R') }))).toEqual(medium)
    expect(types(buildPdf({ objects: page(`/PieceInfo << /P ${twice} >>`) }))).toEqual([])
    const same = '<< /F1 5 0 R /F1 5 0 R >>'
    expect(types(buildPdf({ objects: page(`/Resources << /Font ${same} >>`) }))).toEqual([])
  })

  test('is told of a hybrid file whose two parts put an object in two places', () => {
    const hybrid = buildPdf({ crossReference: 'hybrid', compressed: [5] })
    expect(types(hybrid)).toEqual([])

    const font = offsetOf(hybrid, '3 0 obj')
    const free = /0000000000 00001 f/.exec(Buffer.from(hybrid).toString('latin1'))?.[0] ?? ''
    const both = replaceText(hybrid, free, `${String(font).padStart(10, '0')} 00000 n`)
    expect(types(both)).toContain('SHADOW_CONTENT_DETECTED medium')
  })

  test('is told slightly of objects beyond the size that the file declares', () => {
    const bytes = replaceText(buildPdf(), '/Size 6', '/Size 4')
    const low = 'SHADOW_CONTENT_DETECTED low'
    expect(types(bytes)).toEqual([low])
  })

  test('is graver in a signed file', () => {
    const contents = '/Contents 4 0 R /Contents 9 0 R'
    const objects = {
      ...signed(),
      3: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] ${contents} >>`,
      9: stream('q Q'),
    }
    expect(types(buildPdf({ objects }))).toEqual(['SHADOW_CONTENT_DETECTED high'])
  })
})

describe('a document that lies ready', () => {
  const page = (parent: number): string =>
    `<< /Type /Page /Parent ${parent} 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>`
  const second: PdfObjects = {
    11: '<< /Type /Catalog /Pages 12 0 R >>',
    12: '<< /Type /Pages /Kids [13 0 R] /Count 1 >>',
    13: page(12),
  }

  test('is told once, by its catalog, and is graver in a signed file', () => {
    const { findings } = detect(buildPdf({ objects: { ...onePage(), ...second } }))
    const at = offsetOf(buildPdf({ objects: { ...onePage(), ...second } }), '11 0 obj')
    expect(findings.tamperAnalysis?.anomalies).toMatchObject([
      {
        type: 'SHADOW_CONTENT_DETECTED',
        severity: 'low',
        location: expect.stringMatching(new RegExp(`^bytes ${at}-\\d+, object 11 0$`)) as string,
      },
    ])
    const objects = { ...signed(), ...second }
    expect(types(buildPdf({ objects }))).toEqual(['SHADOW_CONTENT_DETECTED medium'])
  })

  test('may be a page alone', () => {
    const objects = { ...onePage(), 13: page(2) }
    expect(types(buildPdf({ objects }))).toEqual(['SHADOW_CONTENT_DETECTED low'])
  })

  test('is none where an update took a page out or copied the catalog', () => {
    const without = {
      2: '<< /Type /Pages /Kids [13 0 R] /Count 1 >>',
      13: page(2),
    }
    const taken = types(buildPdf({ updates: [{ objects: without }] }))
    expect(taken.filter((type) => type.startsWith('SHADOW'))).toEqual([])

    const copy = { 11: '<< /Type /Catalog /Pages 2 0 R >>' }
    expect(types(buildPdf({ updates: [{ objects: copy, root: 11 }] }))).toEqual([])
  })

  test('is none that can be reached, as a page in a name tree can', () => {
    const objects = {
      ...onePage(),
      1: '<< /Type /Catalog /Pages 2 0 R /Names << /Templates << /Names [(t) 13 0 R] >> >> >>',
      13: '<< /Type /Page /MediaBox [0 0 9 9] /Contents 4 0 R >>',
    }
    expect(types(buildPdf({ objects }))).toEqual([])
  })
})

describe('what is covered before signing', () => {
  const widget = (rectangle: string, more = ''): string =>
    `<< /Subtype /Widget /FT /Tx /Rect [${rectangle}] /AP << /N 22 0 R >> ${more} >>`
  const form = (...widgets: string[]): PdfObjects => ({
    ...signed(),
    1: '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [7 0 R 20 0 R 21 0 R] >> >>',
    3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Annots [20 0 R 21 0 R] >>',
    20: widgets[0] ?? '',
    21: widgets[1] ?? '',
    22: stream('', '/Subtype /Form /BBox [0 0 9 9]'),
  })

  test('is a field under another', () => {
    const covering = form(widget('10 10 50 30'), widget('10 10 48 30'))
    const { findings } = detect(buildPdf({ objects: covering }))
    expect(findings.tamperAnalysis?.anomalies).toMatchObject([
      {
        type: 'SHADOW_CONTENT_DETECTED',
        severity: 'medium',
        location: expect.stringMatching(/^bytes \d+-\d+, object 21 0, page 1$/) as string,
      },
    ])
  })

  test.each([
    ['beside another', widget('10 10 50 30'), widget('10 31 50 60')],
    ['hidden', widget('10 10 50 30'), widget('10 10 50 30', '/F 2')],
    ['without a look', widget('10 10 50 30'), '<< /Subtype /Widget /Rect [10 10 50 30] >>'],
  ])('is not a field that is %s', (_, first, second) => {
    expect(types(buildPdf({ objects: form(first, second) }))).toEqual([])
  })

  const drawn = (content: string, ...more: string[]): PdfObjects => ({
    ...signed(),
    3:
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R ' +
      '/Resources << /Font << /F1 5 0 R >> /XObject << /I 20 0 R >> >> >>',
    4: stream(content),
    20: stream(
      '\x00',
      `/Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 ${more.join(' ')}`,
    ),
    21: stream(
      '\x00',
      '/Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8',
    ),
  })
  const text = 'BT /F1 24 Tf 72 720 Td (Hello) Tj ET'
  const image = 'q 300 0 0 100 50 690 cm /I Do Q'

  test('is the text of a page under an image', () => {
    const objects = drawn(`${text} ${image}`)
    expect(types(buildPdf({ objects }))).toEqual(['SHADOW_CONTENT_DETECTED medium'])
  })

  test.each([
    ['the image comes first', drawn(`${image} ${text}`)],
    ['one sees through the image', drawn(`${text} ${image}`, '/SMask 21 0 R')],
    ['the image stands elsewhere', drawn(`${text} q 300 0 0 100 50 90 cm /I Do Q`)],
    ['the text is one for searching', drawn(`3 Tr ${text} ${image}`)],
  ])('is none of it where %s', (_, objects) => {
    expect(types(buildPdf({ objects }))).toEqual([])
  })

  test('is nobody’s harm in a file that is not signed', () => {
    const { 7: _, 8: __, ...unsigned } = drawn(`${text} ${image}`)
    expect(types(buildPdf({ objects: { ...unsigned, 1: onePage()[1] ?? '' } }))).toEqual([])
  })
})

describe('a file that is made to cost time', () => {
  const stuffed = (text: string): Uint8Array =>
    buildPdf({ objects: { ...onePage(), 6: `(a)\nendobj\n${text}\n9 0 obj\n(b)` } })
  const files: Record<string, Uint8Array> = {
    'with 20,000 copies of an object': stuffed('5 0 obj\n(x)\nendobj\n'.repeat(20_000)),
    'with 20,000 beginnings of an object': stuffed('5 0 obj '.repeat(20_000)),
    'with 20,000 streams that never end': stuffed('4 0 obj<<>>stream\n'.repeat(20_000)),
    'with 20,000 headers in it': stuffed('%PDF-1.4\n'.repeat(20_000)),
    'with 20,000 ends of a file': stuffed('startxref\n1\n%%EOF\n'.repeat(20_000)),
    'with 20,000 objects behind its end': buildPdf({
      after: '5 0 obj\n(x)\nendobj\n'.repeat(20_000),
    }),
    'whose content ends 20,000 times': buildPdf({
      objects: { ...onePage(), 4: stream('q Q\nendstream\n'.repeat(20_000)) },
    }),
    'with 2,000 catalogs, one in each update': buildPdf({
      updates: Array.from({ length: 2000 }, (_, index) => ({
        objects: { [10 + index]: '<< /Type /Catalog /Pages 2 0 R >>' },
        root: 10 + index,
      })),
    }),
  }
  test.each(Object.entries(files))(
    '%s is judged all the same, and the list stays short',
    (_, bytes) => {
      const analysis = TamperAnalysis.parse(detect(bytes).findings.tamperAnalysis)
      expect(analysis.anomalies.length).toBeLessThan(100)
    },
  )
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

  test('lists twenty of each mechanism and counts them all', () => {
    const fields = Array.from({ length: 50 }, (_, i) => i + 10)
    const objects = Object.fromEntries(
      fields.map((number) => [
        number,
        `<< /FT /Sig /T (S${number}) /V ${number % 2 === 0 ? '(x)' : '<< /ByteRange [0 1 2 3] >>'} >>`,
      ]),
    )
    const references = fields.map((number) => `${number} 0 R`).join(' ')
    const catalog = `<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [${references}] >> >>`
    const { findings } = detect(buildPdf({ objects: { ...onePage(), ...objects, 1: catalog } }))

    expect(findings.tamperAnalysis?.anomaliesDetected).toBe(50)
    expect(findings.tamperAnalysis?.anomalies).toHaveLength(40)
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
