import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { readContent } from '../src/pdf/content/content-stream.ts'
import { PdfStream } from '../src/pdf/object.ts'
import { fontResourceValidation } from '../src/stages/7-font-resource-validation.ts'
import { classicPdf, streamBody } from './fixture/classic-pdf.ts'
import { openedDocument } from './fixture/document.ts'

const helvetica = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'

describe('a font that is not embedded', () => {
  test('is told once, with its name, type and object', async () => {
    const { result, messages, detected } = await fonts('BT /F1 9 Tf (a) Tj (b) Tj ET', {
      font: '9 0 R',
      objects: [[9, helvetica]],
    })
    expect(result).toBe('missing_1')
    expect(messages).toEqual(['Font "Helvetica" (Type1, object 9 0) is not embedded'])
    expect(detected).toBe(true)
  })

  test('is told although it stands directly in the resources, or is a broken subset', async () => {
    const subset = '<< /Type /Font /Subtype /TrueType /BaseFont /ABCDEF+Foo >>'
    expect((await fonts('BT /F1 9 Tf (a) Tj ET', { font: subset })).messages).toEqual([
      'Font "ABCDEF+Foo" (TrueType) is not embedded, although its name says that a subset of it is',
    ])
  })

  test.each([
    ['nothing is shown with it', 'BT /F1 9 Tf ET'],
    ['the strings are empty', 'BT /F1 9 Tf () Tj [0 () -5] TJ ET'],
    ['the text is invisible, as behind a scan', 'BT 3 Tr /F1 9 Tf (a) Tj ET'],
    [
      'the operator only stands in a string, a comment or an image',
      "(/F1 9 Tf (a) Tj) pop % /F1 9 Tf (a) '\nBI /W 1 /H 1 ID x /F1 9 Tf (a) Tj \x00EI EI",
    ],
  ])('does not matter when %s', async (_, content) => {
    expect(await fonts(content, { font: helvetica })).toMatchObject({
      result: 'all_embedded',
      messages: [],
      detected: false,
    })
  })

  test.each([
    ['restored from a saved state', '/F1 9 Tf q 3 Tr Q (a) Tj'],
    ["shown by '", "/F1 9 Tf (a) '"],
    ['shown by "', '/F1 9 Tf 1 2 (a) "'],
    ['shown by TJ', '/F1 9 Tf [-250 <61>] TJ'],
    ['chosen by a graphics state', '/G gs (a) Tj'],
    ['left open by a broken array', '/F1 9 Tf [(a) TJ'],
  ])('is found when %s', async (_, content) => {
    const resources = `/ExtGState << /G << /Font [9 0 R 9] >> >>`
    const { result } = await fonts(content, { font: '9 0 R', resources, objects: [[9, helvetica]] })
    expect(result).toBe('missing_1')
  })

  test.each([
    ['a form XObject', '/X Do', '/XObject << /X 8 0 R >>', '/Type /XObject /Subtype /Form'],
    ['a tiling pattern', '/Pattern cs /P scn', '/Pattern << /P 8 0 R >>', '/PatternType 1'],
    ['a soft mask', '/G gs', '/ExtGState << /G << /SMask << /G 8 0 R >> >> >>', '/Subtype /Form'],
    [
      'a Type 3 glyph',
      '/T 9 Tf (a) Tj',
      '/Font << /T << /Subtype /Type3 /CharProcs << /a 8 0 R >> /Resources 7 0 R >> >>',
      '',
    ],
  ])('is found within %s', async (_, content, resources, entries) => {
    const objects: [number, string][] = [
      [7, `<< /Font << /F1 9 0 R >> /XObject << /Again 8 0 R >> >>`],
      // Draws itself too: that has to end.
      [8, streamBody(`${entries} /Resources 7 0 R`, '/Again Do BT /F1 9 Tf (a) Tj ET')],
      [9, helvetica],
    ]
    expect((await fonts(content, { resources, objects })).result).toBe('missing_1')
  })

  test('is found in a form that uses the resources and the font of the page', async () => {
    const form = streamBody('/Type /XObject /Subtype /Form', '(a) Tj')
    const resources = '/XObject << /X 8 0 R >>'
    const drawn = await fonts('/F1 9 Tf /X Do', {
      font: helvetica,
      resources,
      objects: [[8, form]],
    })
    expect(drawn.result).toBe('missing_1')
  })

  test('is found in the appearance state that an annotation is in, and in no other', async () => {
    const on = streamBody(
      '/Subtype /Form /Resources << /Font << /F1 9 0 R >> >>',
      '/F1 9 Tf (a) Tj',
    )
    const annotation = (state: string): string =>
      `/Annots [<< /Subtype /Widget /AS /${state} /AP << /N << /On 8 0 R >> >> >>]`
    const objects: [number, string][] = [
      [8, on],
      [9, helvetica],
    ]
    expect((await fonts('', { page: annotation('On'), objects })).result).toBe('missing_1')
    expect((await fonts('', { page: annotation('Off'), objects })).result).toBe('no_fonts')
  })
})

describe('an embedded font', () => {
  test.each([
    ['Type1', 'FontFile', '', '%!PS-AdobeFont-1.0'],
    ['Type1', 'FontFile3', '/Subtype /Type1C', '\x01\0\x04\x01'],
    ['TrueType', 'FontFile2', '', '\0\x01\0\0\0'],
    ['TrueType', 'FontFile3', '/Subtype /OpenType', 'OTTO'],
    ['CIDFontType2', 'FontFile2', '', 'true'],
    ['CIDFontType0', 'FontFile3', '/Subtype /CIDFontType0C', '\x01\0\x04\x02'],
  ])('of type %s has its program as %s %s', async (type, key, entries, program) => {
    expect(await embedded(type, key, entries, program)).toBe('all_embedded')
    const deflated = deflateSync(Buffer.from(program.padEnd(5000), 'latin1')).toString('latin1')
    expect(await embedded(type, key, `${entries} /Filter /FlateDecode`, deflated)).toBe(
      'all_embedded',
    )
    expect(await embedded(type, key, entries, '')).toBe('missing_1')
    expect(await embedded(type, key, entries, 'garbage')).toBe('missing_1')
  })

  test('does not count as such with a program of another kind', async () => {
    expect(await embedded('Type1', 'FontFile2', '', '\0\x01\0\0')).toBe('missing_1')
  })

  test('may have any name and type, also those of properties that objects have', async () => {
    const font = '<< /Subtype /constructor /BaseFont /constructor /FontDescriptor << >> >>'
    expect((await fonts('/F1 9 Tf (a) Tj', { font })).result).toBe('missing_1')
  })

  test('may be a Type 3 font, whose glyphs are in the file', async () => {
    expect((await fonts('/F1 9 Tf (a) Tj', { font: '<< /Subtype /Type3 >>' })).result).toBe(
      'all_embedded',
    )
  })
})

test('a document without fonts has no_fonts', async () => {
  expect((await fonts('0 0 1 1 re f')).result).toBe('no_fonts')
})

describe('a content stream', () => {
  test('is read in time that grows with its size, whatever is nested or left open', () => {
    const count = 200_000
    for (const hostile of [
      '[',
      '<<',
      '<</a[',
      'q ',
      '1 ',
      '(',
      '/a ',
      'BI ',
      'BI ID EI',
      ']',
      '>>',
    ]) {
      const operators: string[] = []
      readContent(Buffer.from(`${hostile.repeat(count)} f`), (operator) => operators.push(operator))
      expect(operators.length).toBeLessThanOrEqual(count + 1)
    }
  })

  test('gives operators with their operands, and inline images as streams', () => {
    const seen: string[] = []
    const content =
      '/GS1 gs 1 .5 -3 rg [(a) -20 <62>] TJ /Span << /MCID 0 >> BDC BI /W 2 /H 1 /F [/A85] ID ab EI Q'
    readContent(Buffer.from(content), (operator, operands) => {
      const image = operands[0] instanceof PdfStream ? Buffer.from(operands[0].data).toString() : ''
      seen.push(`${operator}:${operands.length}${image}`)
    })
    expect(seen).toEqual(['gs:1', 'rg:3', 'TJ:1', 'BDC:2', 'EI:1ab', 'Q:0'])
  })
})

interface FontOptions {
  readonly font?: string
  readonly resources?: string
  readonly page?: string
  readonly objects?: readonly [number, string][]
}

async function fonts(content: string, options: FontOptions = {}) {
  const font = options.font === undefined ? '' : `/Font << /F1 ${options.font} >>`
  const bytes = classicPdf([
    [1, '<< /Type /Catalog /Pages 2 0 R >>'],
    [
      2,
      `<< /Type /Pages /Count 1 /Kids [3 0 R] /Resources << ${font} ${options.resources ?? ''} >> >>`,
    ],
    [
      3,
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents [4 0 R] ${options.page ?? ''} >>`,
    ],
    [4, streamBody('', content)],
    ...(options.objects ?? []),
  ])
  const { findings, ...document } = openedDocument(bytes)
  const result = await fontResourceValidation.run({ findings, ...document })
  const messages = findings.warnings.map(({ message }) => message)
  return { result, messages, detected: findings.validation.nonEmbeddedFontsDetected }
}

async function embedded(type: string, key: string, entries: string, program: string) {
  const described = `/Subtype /${type} /BaseFont /Foo /FontDescriptor << /${key} 8 0 R >>`
  const font = type.startsWith('CID')
    ? `<< /Subtype /Type0 /BaseFont /Foo /DescendantFonts [<< ${described} >>] >>`
    : `<< ${described} >>`
  const objects: [number, string][] = [[8, streamBody(entries, program)]]
  return (await fonts('/F1 9 Tf (a) Tj', { font, objects })).result
}
