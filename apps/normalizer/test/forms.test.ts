import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PdfDictionary, PdfName, PdfString } from '../src/pdf/object.ts'
import { removeSignatures } from '../src/signature/remove-signatures.ts'
import { at, type Cleaned, cleaned, everythingIn } from './fixture/cleaned.ts'
import { type ObjectBodies, pdfText, streamText } from './fixture/pdf-text.ts'

const redSquare = streamText('/Subtype /Form /BBox [0 0 10 10]', '1 0 0 rg 0 0 10 10 re f')

/** A page of 200 by 200 with one widget, object 5, whose appearance is object 9. */
function form(widget: string, more: ObjectBodies = {}, acroForm = ''): Uint8Array {
  return pdfText({
    1: `<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [5 0 R] ${acroForm} >> >>`,
    2: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Annots [5 0 R] /Contents 4 0 R >>',
    4: streamText('', '0 0 1 rg 0 0 20 20 re f'),
    5: `<< /Type /Annot /Subtype /Widget /T (f) ${widget} >>`,
    9: redSquare,
    ...more,
  })
}

describe('an appearance is placed where the viewer showed it', () => {
  test.each([
    ['as it is', '/BBox [0 0 10 10]', '1 0 0 1 50 60 cm', '[50 60 60 70]'],
    ['scaled', '/BBox [0 0 10 20]', '2 0 0 3 50 60 cm', '[50 60 70 120]'],
    ['moved by its box', '/BBox [5 5 15 15]', '2 0 0 2 40 50 cm', '[50 60 70 80]'],
    [
      'turned by its matrix',
      '/BBox [0 0 10 20] /Matrix [0 1 -1 0 0 0]',
      '1 0 0 1 70 60 cm',
      '[50 60 70 70]',
    ],
    [
      'skewed by its matrix',
      '/BBox [0 0 10 10] /Matrix [1 0 1 1 0 0]',
      '1 0 0 2 50 60 cm',
      '[50 60 70 80]',
    ],
    ['with corners in any order', '/BBox [10 10 0 0]', '1 0 0 1 50 60 cm', '[60 70 50 60]'],
    [
      'with a matrix that moves',
      '/BBox [0 0 10 10] /Matrix [1 0 0 1 100 100]',
      '1 0 0 1 -50 -40 cm',
      '[50 60 60 70]',
    ],
  ])('%s', async (_, entries, expected, rectangle) => {
    const { output, results, findings } = await cleaned(
      form(`/FT /Btn /Rect ${rectangle} /AP << /N 9 0 R >>`, {
        9: streamText(`/Subtype /Form ${entries}`, '1 0 0 rg 0 0 10 10 re f'),
      }),
    )
    expect(results[1]).toBe('flattened')
    expect(findings.security.acroformFlattened).toBe(true)
    expect(everythingIn(output)).toContain(`q ${expected} /Widget0 Do Q`)
  })

  test('the state that is on is the one that is drawn', async () => {
    const states = {
      10: streamText('/BBox [0 0 9 9]', '(off) pop'),
      11: streamText('/BBox [0 0 9 9]', '(on) pop'),
    }
    const widget = '/FT /Btn /Rect [0 0 9 9] /AP << /N << /Off 10 0 R /Yes 11 0 R >> >>'
    const drawn = async (more: string): Promise<string> =>
      everythingIn((await cleaned(form(`${widget} ${more}`, states))).output)
    expect(await drawn('/AS /Yes')).toContain('(on)')
    expect(await drawn('/AS /Yes')).not.toContain('(off)')
    expect(await drawn('/AS /Off /V /Yes')).toContain('(off)')
    expect(await drawn('/V /Yes')).toContain('(on)')
    expect(await drawn('')).toContain('(off)')
    expect(await drawn('/AS /Unknown')).not.toMatch(/\((on|off)\)/)
  })

  test.each([
    ['hidden', '/F 2', 0],
    ['not for the screen', '/F 32', 0],
    ['for print', '/F 4', 1],
    ['of no size', '/Rect [5 5 5 9]', 0],
  ])('a widget that is %s', async (_, entries, placed) => {
    const { output } = await cleaned(form(`/FT /Btn /Rect [0 0 9 9] /AP << /N 9 0 R >> ${entries}`))
    expect(everythingIn(output).split('/Widget0 Do').length - 1).toBe(placed)
  })
})

test('widgets, fields and the form are gone, other annotations and shared resources stay as they were', async () => {
  const { output, graph, hits } = await cleaned(
    pdfText({
      1: '<< /Type /Catalog /Pages 2 0 R /NeedsRendering true /AcroForm << /Fields [6 0 R] >> >>',
      2: '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 /Resources 8 0 R /MediaBox [0 0 99 99] >>',
      3: '<< /Type /Page /Parent 2 0 R /Annots [5 0 R 7 0 R] /Contents 10 0 R >>',
      4: '<< /Type /Page /Parent 2 0 R /Contents 10 0 R >>',
      5: '<< /Type /Annot /Subtype /Widget /Parent 6 0 R /Rect [0 0 9 9] /AP << /N 9 0 R >> >>',
      6: '<< /T (group) /FT /Btn /Kids [5 0 R] >>',
      7: '<< /Type /Annot /Subtype /Square /Rect [0 0 9 9] >>',
      8: '<< /XObject << /Widget0 9 0 R >> /ProcSet [/PDF] >>',
      9: redSquare,
      10: streamText('', '/Widget0 Do'),
    }),
  )
  expect(hits).toEqual([])
  const all = everythingIn(output)
  expect(all).not.toMatch(/\/Widget\b|\/AcroForm|\(group\)|NeedsRendering/)
  expect(all).toContain('/Square')
  // The name that the page's own content uses still means what it meant.
  expect(
    Object.fromEntries(entries(at(graph, 'Pages', 'Kids', 0, 'Resources', 'XObject'))),
  ).toHaveProperty('Widget1')
  expect(all).toContain('/Widget1 Do')
  const ofOther = at(graph, 'Pages', 'Kids', 1, 'Resources') ?? at(graph, 'Pages', 'Resources')
  const shared = ofOther instanceof PdfDictionary ? graph.resolve(ofOther.get('XObject')) : null
  expect(entries(shared).map(([name]) => name)).toEqual(['Widget0'])
})

test('a widget of two pages is drawn on both, one of none is not', async () => {
  const page =
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Annots [5 0 R 5 0 R] /Contents 10 0 R >>'
  const { output, graph, hits } = await cleaned(
    pdfText({
      1: '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [5 0 R 6 0 R] >> >>',
      2: '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>',
      3: page,
      4: page,
      5: '<< /Type /Annot /Subtype /Widget /T (a) /FT /Btn /P 3 0 R /Rect [0 0 9 9] /AP << /N 9 0 R >> >>',
      6: '<< /Type /Annot /Subtype /Widget /T (b) /FT /Tx /V (LOST) /P 4 0 R /Rect [0 0 9 9] >>',
      9: redSquare,
      10: streamText('', '0 0 9 9 re f'),
    }),
  )
  expect(hits).toEqual([])
  for (const index of [0, 1]) {
    const drawn = at(graph, 'Pages', 'Kids', index, 'Resources', 'XObject')
    expect(entries(drawn).length).toBeGreaterThan(0)
  }
  expect(everythingIn(output)).not.toContain('LOST')
})

test('a page that takes a widget for its resources keeps no copy of it', async () => {
  const { output, hits } = await cleaned(
    form('/FT /Tx /Rect [0 0 9 9] /XObject 5 0 R /AP << /N 9 0 R >>', {
      3:
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Annots [5 0 R] ' +
        '/Contents 4 0 R /Resources 5 0 R >>',
    }),
  )

  expect(hits).toEqual([])
  expect(everythingIn(output)).not.toMatch(/\/Widget\b/)
})

test('a layer of a widget goes with it, and in a tagged document the new content is an artifact', async () => {
  const { output, graph } = await cleaned(
    form('/FT /Btn /Rect [0 0 9 9] /OC 12 0 R /AP << /N 9 0 R >>', {
      1: '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [5 0 R] >> /StructTreeRoot 13 0 R /OCProperties << /OCGs [12 0 R] /D << >> >> >>',
      12: '<< /Type /OCG /Name (layer) >>',
      13: '<< /Type /StructTreeRoot /K 14 0 R >>',
      14: '<< /S /Document /P 13 0 R /K [15 0 R] >>',
      15: '<< /S /Form /P 14 0 R /K << /Type /OBJR /Obj 5 0 R >> >>',
    }),
  )
  const all = everythingIn(output)
  expect(all).toMatch(
    /\/Artifact BMC\s+\/OC \/WidgetLayer0 BDC q 0\.9 0 0 0\.9 0 0 cm \/Widget0 Do Q EMC\s+EMC/,
  )
  expect(
    at(graph, 'Pages', 'Kids', 0, 'Resources', 'Properties', 'WidgetLayer0', 'Name'),
  ).not.toBeNull()
  expect(all).not.toContain('/OBJR')
})

/** A tagged document: the structure element of the field, object 15, has more entries. */
function tagged(field: string, page: string, element = ''): Promise<Cleaned> {
  return cleaned(
    form(`${field} /Rect [0 0 9 9] /StructParent 1 /AP << /N 9 0 R >>`, {
      1: '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [5 0 R] >> /StructTreeRoot 13 0 R >>',
      3: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] ${page} /Annots [5 0 R] /Contents 4 0 R >>`,
      4: streamText('', '/P << /MCID 0 >> BDC 0 0 1 rg 0 0 20 20 re f EMC'),
      13: '<< /Type /StructTreeRoot /K [14 0 R 15 0 R] /ParentTree << /Nums [0 16 0 R 1 15 0 R] >> >>',
      14: '<< /S /P /P 13 0 R /Pg 3 0 R /K 0 >>',
      15: `<< /S /Form /P 13 0 R /Alt (what it is) /K [<< /Type /OBJR /Obj 5 0 R >>] ${element} >>`,
      16: '[14 0 R]',
    }),
  )
}

test.each([
  ['/FT /Btn /AS /Yes /TU (Agreed)', '/O /PrintField /Role /cb /checked /on /Desc (Agreed)'],
  ['/FT /Btn /Ff 32768 /AS /Off', '/O /PrintField /Role /rb /checked /off'],
  ['/FT /Btn /Ff 65536', '/O /PrintField /Role /pb'],
  ['/FT /Ch', '/O /PrintField /Role /lb'],
  ['/FT /Ch /Ff 131072', '/O /PrintField /Role /tv'],
  ['/FT /Tx /V (x)', '/O /PrintField /Role /tv'],
])('in a tagged document a flattened field %s says what it was', async (field, expected) => {
  const attributes = ({ graph }: Cleaned): string[] => {
    const all = at(graph, 'StructTreeRoot', 'K', 1, 'A')
    return (Array.isArray(all) ? all : [all]).map((one) =>
      entries(graph.resolve(one))
        .map(([key, value]) => `/${key} ${shown(value)}`)
        .sort()
        .join(' '),
    )
  }
  const sorted = expected
    .split(/ (?=\/[A-Z]\w* |\/checked)/)
    .sort()
    .join(' ')
  expect(attributes(await tagged(field, '/StructParents 0'))).toEqual([sorted])
  const described = await tagged(field, '/StructParents 0', '/A [<< /O /Layout /Width 9 >>]')
  expect(attributes(described)).toEqual(['/O /Layout /Width 9', sorted])
  const own = await tagged(field, '/StructParents 0', '/A << /O /PrintField /Role /tv >>')
  expect(attributes(own)).toEqual(['/O /PrintField /Role /tv'])
})

function shown(value: unknown): string {
  if (value instanceof PdfName) return `/${value.value}`
  return value instanceof PdfString
    ? `(${Buffer.from(value.bytes).toString('latin1')})`
    : String(value)
}

test('in a tagged document a field stays in the structure as the content that takes its place', async () => {
  const kept = await tagged('/FT /Btn', '/StructParents 0')
  const all = everythingIn(kept.output)
  expect(all).toMatch(/\/Form << \/MCID 1 >> BDC\s+q [\d. ]+ cm \/Widget0 Do Q\s+EMC/)
  expect(all).not.toMatch(/\/OBJR|\/Artifact/)
  const { graph } = kept
  expect(at(graph, 'StructTreeRoot', 'K', 1, 'K', 0, 'MCID')).toBe(1)
  expect(at(graph, 'StructTreeRoot', 'K', 1, 'K', 0, 'Pg')).toBe(at(graph, 'Pages', 'Kids', 0))
  expect(at(graph, 'StructTreeRoot', 'ParentTree', 'Nums')).toHaveLength(2)
  const parents = ['StructTreeRoot', 'ParentTree', 'Nums', 1] as const
  expect(at(graph, ...parents, 1)).toBe(at(graph, 'StructTreeRoot', 'K', 1))

  // A page without marked content of its own has no place for more.
  const alone = await tagged('/FT /Btn', '')
  expect(everythingIn(alone.output)).toContain('/Artifact BMC')
  expect(at(alone.graph, 'StructTreeRoot', 'K')).toHaveLength(1)
})

describe('appearances that the file leaves to the viewer are made', () => {
  const resources = '/DR << /Font << /Helv 20 0 R /Own 21 0 R >> >> /DA (/Helv 0 Tf 0 g)'
  const fonts: ObjectBodies = {
    20: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    21: '<< /Type /Font /Subtype /TrueType /BaseFont /ABCDEF+Own /FirstChar 65 /LastChar 66 /Widths [500 1000] /Encoding << /Differences [65 /adieresis /B] >> >>',
  }
  const made = async (widget: string, more: ObjectBodies = {}, extra = ''): Promise<string> => {
    const file = form(
      `/Rect [10 10 110 30] ${widget}`,
      { ...fonts, ...more },
      `${resources} ${extra}`,
    )
    const { output, hits } = await cleaned(file)
    expect(hits).toEqual([])
    return everythingIn(output)
  }
  const japanese = (encoding: string): string =>
    `<< /Type /Font /Subtype /Type0 /BaseFont /F /Encoding /${encoding} /DescendantFonts [<< /Type /Font /Subtype /CIDFontType0 /BaseFont /F >>] >>`
  const hex = (text: string): string =>
    `<${Buffer.from(text, 'latin1').toString('hex').toUpperCase()}> Tj`

  test('a text in the size, colour and font that it asks for', async () => {
    const all = await made('/FT /Tx /V (Hello) /DA (1 0 0 rg /Helv 9 Tf)')
    expect(all).toContain(hex('Hello'))
    expect(all).toContain('1 0 0 rg')
    expect(all).toMatch(/\/Helvetica 9 Tf|\/F 9 Tf/)
    expect(all).toContain('q 1 0 0 1 10 10 cm /Widget0 Do Q')
  })

  test('a text that is inherited, aligned to the right', async () => {
    const left = await made('/Parent 6 0 R', {
      6: '<< /FT /Tx /V (Hi) /DA (/Helv 10 Tf 0 g) /Kids [5 0 R] >>',
    })
    const right = await made('/Parent 6 0 R', {
      6: '<< /FT /Tx /Q 2 /V (Hi) /DA (/Helv 10 Tf 0 g) /Kids [5 0 R] >>',
    })
    const x = (all: string): number => Number(/1 0 0 1 ([\d.]+) [\d.]+ Tm/.exec(all)?.[1])
    expect(x(left)).toBeCloseTo(2)
    // "Hi" is (722 + 222) / 1000 × 10 wide in Helvetica.
    expect(x(right)).toBeCloseTo(100 - 2 - 9.44)
  })

  test('several lines, a comb and a password', async () => {
    const lines = await made('/FT /Tx /Ff 4096 /V (one\\ntwo)')
    expect(lines).toContain(hex('one'))
    expect(lines).toContain(hex('two'))
    const comb = await made('/FT /Tx /Ff 16777216 /MaxLen 3 /V (abcd)')
    expect(['a', 'b', 'c', 'd'].map((char) => comb.includes(hex(char)))).toEqual([
      true,
      true,
      true,
      false,
    ])
    const password = await made('/FT /Tx /Ff 8192 /V (secret)')
    expect(password).toContain(hex('******'))
    expect(password).not.toContain(hex('secret'))
  })

  test('a text that is to fit fills its box, and a boundless one costs no time', async () => {
    // 20 high less two at each edge, and Helvetica is 0.925 of its size high.
    expect(await made('/FT /Tx /V (Hi)')).toMatch(/\/F 17 Tf/)
    expect(await made('/FT /Tx /Ff 4096 /V (Hi)')).toMatch(/\/F 12 Tf/)
    expect(
      await made('/FT /Tx /Ff 4096 /V (a b c d e f g h i j k l m n o p q r s t u v w x y z)'),
    ).toMatch(/\/F [4-9] Tf/)
    await made(`/Rect [0 0 1e9 1e9] /FT /Tx /Ff 4096 /V (${'ab '.repeat(50_000)})`)
    await made(`/Rect [0 0 1e9 1e9] /FT /Tx /V (${'ab '.repeat(50_000)})`)
    await made('/FT /Tx /Ff 16777216 /MaxLen 2000000000 /V (abc)')
    // Every character in another font than the one before it.
    const mixed = Buffer.from('a\u03c0'.repeat(10_000), 'utf16le').swap16().toString('hex')
    await made(`/Rect [0 0 1e9 1e9] /FT /Tx /V <FEFF${mixed}>`)
    await made(`/Rect [0 0 1e9 1e9] /FT /Tx /Ff 4096 /V <FEFF${mixed}>`)
  })

  test('a text for which no size is asked is set in the usual one, or in one for its box', async () => {
    const alone = (rectangle: string, acroForm = ''): Promise<Cleaned> =>
      cleaned(form(`/Rect ${rectangle} /FT /Tx /V (Hi)`, fonts, acroForm))
    const content = async (file: Promise<Cleaned>): Promise<string> =>
      everythingIn((await file).output)
    expect(await content(alone('[10 10 110 50]'))).toMatch(/\/Helvetica 12 Tf/)
    expect(await content(alone('[10 10 110 20]'))).toMatch(/\/Helvetica 6 Tf/)
    expect(await content(alone('[10 10 110 50]', '/DA (0 g)'))).toMatch(/\/Helvetica 12 Tf/)
    expect(await content(alone('[10 10 110 50]', '/DA (/Helv 0 Tf)'))).toMatch(/\/Helvetica 38 Tf/)
  })

  test('white space of any kind, in a single line and in several', async () => {
    // A no-break space, a tab, an ideographic space, a line separator and a next-line control.
    const value = '<FEFF0061 00A0 0009 3000 0062 2028 0063 0085 000D000A 0064>'
    expect(await made(`/FT /Tx /V ${value}`)).toContain(hex('a   b c d'))
    const lines = await made(`/FT /Tx /Ff 4096 /V ${value}`)
    for (const line of ['a   b', 'd']) expect(lines).toContain(hex(line))
    expect(await made(`/FT /Btn /Ff 65536 /MK << /CA ${value} >>`)).toContain(hex('a   b c d'))
    // In a list an option is one line, and the lines tell which option is chosen.
    expect(await made(`/FT /Ch /Opt [${value}]`)).toContain(hex('a b c d'))
  })

  test('with a font of the form, in its own encoding and widths', async () => {
    const all = await made('/FT /Tx /Q 2 /V (\\344B) /DA (/Own 10 Tf 0 g)')
    expect(all).toContain('<4142> Tj')
    expect(Number(/1 0 0 1 ([\d.]+) [\d.]+ Tm/.exec(all)?.[1])).toBeCloseTo(100 - 2 - 15)
  })

  test('what the font of the form lacks comes in a standard font', async () => {
    expect(await made('/FT /Tx /V (xyz) /DA (/Own 10 Tf 0 g)')).toContain(hex('xyz'))
  })

  test.each([
    ['has no width for', '/FirstChar 97 /LastChar 99 /Widths [500 500 0]', '', {}],
    [
      'lists no glyph for',
      '',
      '/FontFile 51 0 R /CharSet (/a/b/space)',
      { 51: streamText('', '%!') },
    ],
    [
      'has no glyph in its program for',
      '',
      '/FontFile2 51 0 R',
      { 51: streamText('', trueTypeProgram([0x61, 0x62])) },
    ],
  ])('a character that a subset %s comes in a standard font', async (_, font, descriptor, more) => {
    const field = (value: string): Promise<string> =>
      made(`/FT /Tx /V (${value}) /DA (/S 10 Tf 0 g) /DR << /Font << /S 50 0 R >> >>`, {
        50: `<< /Type /Font /Subtype /TrueType /BaseFont /ABCDEF+S /Encoding /WinAnsiEncoding ${font} /FontDescriptor << /Type /FontDescriptor ${descriptor} >> >>`,
        ...more,
      })
    expect(await field('ab')).toMatch(/\/F 10 Tf/)
    expect(await field('abc')).toMatch(/\/Helvetica 10 Tf/)
  })

  describe('in fonts that text has to be encoded for', () => {
    const identity = (more: string): string =>
      `<< /Type /Font /Subtype /Type0 /BaseFont /F /Encoding /Identity-H ${more} /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /F /DW 500 /W [3 [250 750] 9 11 1000] /FontDescriptor << /Type /FontDescriptor /FontFile2 41 0 R >> >>] >>`
    const withFont = (value: string, font: string, more: ObjectBodies = {}): Promise<string> =>
      made(`/FT /Tx /V ${value} /DA (/C 10 Tf 0 g) /DR << /Font << /C 40 0 R >> >>`, {
        40: font,
        ...more,
      })
    const toUnicode = streamText(
      '',
      '2 beginbfchar <0003> <05D0> <0004> <05D1> endbfchar 1 beginbfrange <0009> <000B> <0061> endbfrange 1 beginbfrange <0010> <0011> [<0020> <0028>] endbfrange',
    )

    test('a composite font of the field by its /ToUnicode, from right to left', async () => {
      const all = await withFont('<FEFF05D005D1>', identity('/ToUnicode 42 0 R'), { 42: toUnicode })
      expect(all).toContain('<00040003> Tj')
      const mixed = await withFont(
        '<FEFF05D00020006100620020002805D1>',
        identity('/ToUnicode 42 0 R'),
        {
          42: toUnicode.replaceAll('<0028>', '<0029>'),
        },
      )
      // The first letter says that the line runs to the left; the Latin word does not; the bracket is mirrored.
      expect(mixed).toContain('<000400110010 0009000A 00100003> Tj'.replaceAll(' 0', '0'))
    })

    test('its widths, to the right edge', async () => {
      const all = await made(
        '/FT /Tx /Q 2 /V <FEFF05D005D1> /DA (/C 10 Tf 0 g) /DR << /Font << /C 40 0 R >> >>',
        { 40: identity('/ToUnicode 42 0 R'), 42: toUnicode },
      )
      expect(Number(/1 0 0 1 ([\d.]+) [\d.]+ Tm/.exec(all)?.[1])).toBeCloseTo(100 - 2 - 10)
    })

    test('a composite font by the character map of its program', async () => {
      const all = await withFont('<FEFF65E5672C>', identity(''), {
        41: streamText('', trueTypeProgram([0x65e5, 0x672c])),
      })
      expect(all).toContain('<00010002> Tj')
    })

    test.each([
      ['UniJIS-UTF16-H', '65E5672C', '65E5672C'],
      ['UniJIS-UTF8-H', '65E5', 'E697A5'],
      ['UniJIS-UTF32-H', '65E5', '000065E5'],
      ['90ms-RKSJ-H', '65E5672C0041FF71', '93FA967B41B1'],
      ['H', '65E5', '467C'],
      ['EUC-H', '65E5', 'C6FC'],
      ['GBK-EUC-H', '4E2D4E02', 'D6D08140'],
      ['ETen-B5-H', '4E2D', 'A4A4'],
      ['KSCms-UHC-H', 'D55C', 'C7D1'],
    ])('a font with the predefined encoding %s', async (encoding, characters, codes) => {
      const all = await withFont(`<FEFF${characters}>`, japanese(encoding))
      expect(all).toContain(`<${codes}> Tj`)
    })

    test.each([
      ['vertical', 'UniJIS-UTF16-V', '65E5'],
      ['too small', 'KSC-EUC-H', 'AC02'],
      ['unknown', 'Klingon-H', '65E5'],
    ])('question marks where the encoding is %s', async (_, encoding, characters) => {
      expect(await withFont(`<FEFF${characters}>`, japanese(encoding))).toContain(hex('?'))
    })

    describe('Arabic letters', () => {
      const mapped = (ranges: string): string =>
        streamText('', `1 beginbfrange <0600> <06FF> <0600> ${ranges} endbfrange`)
      const letters = mapped('')
      const forms = mapped('<FB50> <FEFC> <FB50>')
      test.each([
        ['join', '0633064406270645', forms, 'FEE1FEFCFEB3'],
        ['join in Persian', '067E06CC0686', forms, 'FB7BFBFFFB58'],
        ['join over marks', '0628064E0628', forms, 'FE90FE91064E'],
        ['join a stroke', '06280640', forms, '0640FE91'],
        ['do not join after some', '062F0628', forms, 'FE8FFEA9'],
        ['do not join where that is said', '064506CC200C062E', forms, 'FEA5FBFDFEE3'],
        [
          'stay as they are in a font without forms',
          '0633064406270645',
          letters,
          '0645062706440633',
        ],
      ])('%s', async (_, value, map, expected) => {
        const all = await withFont(`<FEFF${value}>`, identity('/ToUnicode 42 0 R'), { 42: map })
        expect(all).toContain(`<${expected}> Tj`)
      })
    })

    test('characters without a form of their own cost none', async () => {
      const helvetica =
        '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>'
      // A letter and its accent, a mark of direction, a joiner and a variation selector.
      const all = await withFont('<FEFF00650301200E0061200D0062FE0F>', helvetica)
      expect(all).toContain(hex('\u00e9ab'))
    })

    test('a font of marks by its codes, and letters where it has no code', async () => {
      const marks = '<< /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >>'
      const codes = await withFont('(4)', marks)
      expect(codes).toContain('<34> Tj')
      expect(codes).toMatch(/\/F 10 Tf/)
      const unknown = await withFont('<FEFF0061672C>', marks)
      expect(unknown).toContain(hex('a?'))
      expect(unknown).toMatch(/\/Helvetica 10 Tf/)
    })

    test('another font of the form, when the one that is named lacks a character', async () => {
      const all = await made('/FT /Tx /V <FEFF05D0> /DA (/Helv 10 Tf 0 g)', {
        1: '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [5 0 R] /DR << /Font << /Helv 20 0 R /C 40 0 R >> >> >> >>',
        40: identity('/ToUnicode 42 0 R'),
        42: toUnicode,
      })
      expect(all).toContain('<0003> Tj')
    })

    test('several fonts, when none has all characters', async () => {
      const all = await withFont(
        '<FEFF00610020007805D0005F03C065E5>',
        identity('/ToUnicode 42 0 R'),
        {
          42: toUnicode,
        },
      )
      // "a", a space and the Hebrew letter from the form, "x_" and a question mark in Helvetica, pi in Symbol.
      expect(all).toContain('<00090010> Tj')
      expect(all).toContain('<0003> Tj')
      expect(all).toContain('<70> Tj')
      for (const text of ['x', '_', '?']) expect(all).toContain(hex(text))
      for (const font of ['F', 'Helvetica', 'Symbol']) expect(all).toContain(`/${font} 10 Tf`)
    })

    test('damaged maps and programs cost nothing but the font', async () => {
      for (const [map, program] of [
        ['beginbfrange <0000> <FFFFFFFF> <0000> '.repeat(9), 'beginbfchar '.repeat(9)],
        ['<'.repeat(9), '\0\x01\0\0\xff\xff'],
        ['1 beginbfrange <00> [<41> endbfrange', trueTypeProgram([0x41]).slice(0, 40)],
      ] as const) {
        const all = await withFont('<FEFF0061>', identity('/ToUnicode 42 0 R'), {
          41: streamText('', program),
          42: streamText('', map),
        })
        expect(all).toContain(hex('a'))
      }
    })
  })

  test('a long word breaks where the box ends, and so do ideographs', async () => {
    const all = await made(
      `/Rect [0 0 50 100] /FT /Tx /Ff 4096 /V (aa ${'W'.repeat(8)} b) /DA (/Helv 10 Tf 0 g)`,
    )
    // W is 0.944 of the size wide: four fit between two units of padding. Viewers begin a line with such a word.
    expect([...all.matchAll(/<[0-9A-F]+> Tj/g)].map(String)).toEqual(
      ['aa', 'WWWW', 'WWWW', 'b'].map(hex),
    )
    const ideographs = await made(
      '/Rect [0 0 50 100] /FT /Tx /Ff 4096 /V <FEFF00610061002065E5672C8A9E65E5672C> /DA (/J 10 Tf 0 g) /DR << /Font << /J 40 0 R >> >>',
      { 40: japanese('UniJIS-UCS2-H') },
    )
    expect(ideographs).toContain('<00610061002065E5672C8A9E> Tj')
  })

  test('a comb with its lines, from the right where it is aligned so', async () => {
    const all = await made(
      '/FT /Tx /Q 2 /Ff 16777216 /MaxLen 4 /V (ab) /DA (/Helv 10 Tf 0 g) /MK << /BC [1 0 0] >>',
    )
    const xs = [...all.matchAll(/1 0 0 1 ([\d.]+) [\d.]+ Tm/g)].map(([, x]) => Number(x))
    // Cells of 24.5 between borders of 1, letters 5.56 wide.
    expect(xs).toEqual([
      expect.closeTo(1 + 24.5 * 2.5 - 2.78, 2),
      expect.closeTo(1 + 24.5 * 3.5 - 2.78, 2),
    ])
    for (const x of [25.5, 50, 74.5]) expect(all).toContain(`${x} 0 m\n${x} 20 l\nS`)
  })

  test.each([
    ['dashed', '/S /D /D [4 2]', /\[4 2\] 0 d/],
    ['underlined', '/S /U', /0 1 m\n100 1 l\nS/],
    ['bevelled', '/S /B', /1 g\n2 2 m\n2 18 l\n98 18 l\n96 16 l/],
    ['inset', '/S /I', /0\.5 g\n2 2 m[^]*0\.75 g\n98 18 m/],
  ])('a border that is %s', async (_, style, expected) => {
    const all = await made(`/FT /Tx /BS << /W 2 ${style} >> /MK << /BC [0 0 1] >>`)
    expect(all).toMatch(expected)
    expect(all).toContain('0 0 1 RG')
  })

  test('a list from its top index on, with the chosen one of two options that read the same', async () => {
    const all = await made(
      '/Rect [10 10 110 90] /FT /Ch /TI 1 /I [2] /V (B) /Opt [(A) (B) (B) (C)] /DA (/Helv 10 Tf 0 g)',
    )
    expect(all).not.toContain(hex('A'))
    expect(all.split(hex('B')).length).toBe(3)
    expect(all.match(/0\.6 0\.757 0\.855 rg/g)).toHaveLength(1)
    // The second line: each is 11.5625 high, and they begin two units below the top.
    expect(all).toContain('0 54.875 100 11.5625 re')
    const byValue = await made('/Rect [10 10 110 90] /FT /Ch /I [0] /V (C) /Opt [(A) (B) (C)]')
    expect(byValue.match(/0\.6 0\.757 0\.855 rg/g)).toHaveLength(1)
  })

  test('the icon of a button, in proportion, with its caption below', async () => {
    const icon = { 44: streamText('/BBox [0 0 20 20]', '1 0 0 rg 0 0 20 20 re f') }
    const all = await made(
      '/Rect [0 0 100 50] /FT /Btn /Ff 65536 /MK << /CA (Go) /I 44 0 R /TP 2 >> /DA (/Helv 10 Tf 0 g)',
      icon,
    )
    expect(all).toContain(hex('Go'))
    expect(all).toMatch(/1\.9 0 0 1\.9 31 12 cm\n\/Icon Do/)
    const alone = await made(
      '/Rect [0 0 100 50] /FT /Btn /Ff 65536 /MK << /CA (Go) /I 44 0 R /TP 1 >>',
      icon,
    )
    expect(alone).not.toContain(hex('Go'))
    expect(alone).toMatch(/2\.5 0 0 2\.5 25 0 cm\n\/Icon Do/)
  })

  test('a mark for a state that the file draws nothing for, and none for a state of another button', async () => {
    const states = '/AP << /N << /Off 9 0 R >> >>'
    expect(await made(`/FT /Btn /AS /Ja ${states}`)).toContain('<34> Tj')
    expect(await made(`/FT /Btn /V /Ja ${states}`)).toContain('<34> Tj')
    expect(await made(`/FT /Btn /AS /Off ${states}`)).not.toContain('<34> Tj')
    const named = '/AP << /N << /Ja#20doch 9 0 R >> >>'
    expect(await made(`/FT /Btn /AS /Nein ${named}`)).not.toMatch(/<34> Tj|Widget0 Do/)
    expect(await made(`/FT /Btn /AS /Ja#20doch ${named}`)).toContain('/Widget0 Do')
    expect(await made(`/FT /Btn /V (Ja doch) ${named}`)).toContain('/Widget0 Do')
  })

  test('the text of a choice, not its value', async () => {
    const all = await made('/FT /Ch /Ff 131072 /Opt [[(v1) (First)] [(v2) (Second)]] /V (v2)')
    expect(all).toContain(hex('Second'))
    expect(all).not.toContain(hex('First'))
  })

  test('a list with its selection', async () => {
    const all = await made(
      '/Rect [10 10 110 90] /FT /Ch /Opt [(A) (B) (C)] /V [(B)] /DA (/Helv 10 Tf 0 g)',
    )
    for (const option of ['A', 'B', 'C']) expect(all).toContain(hex(option))
    expect(all).toContain('0.6 0.757 0.855 rg')
    // One filled box, and no path before it that it would fill as well.
    expect(all.match(/\nf\n/g)).toHaveLength(1)
    expect(all).not.toMatch(/\nh\nh\n/)
  })

  test('marks of check boxes and radio buttons that are on, frames of those that are off', async () => {
    const on = await made('/FT /Btn /V /Yes /AS /Yes /MK << /CA (8) >>')
    expect(on).toContain('<38> Tj')
    expect(on).toContain('/ZapfDingbats')
    const radio = await made('/FT /Btn /Ff 32768 /AS /Yes')
    expect(radio).toContain('<6C> Tj')
    const off = await made('/FT /Btn /AS /Off /MK << /BC [0 1 0] >>')
    expect(off).not.toContain('Tj')
    expect(off).toContain('0 1 0 RG')
    expect(await made('/FT /Btn /AS /Off')).not.toContain('/Widget0')
  })

  test('the caption of a button', async () => {
    const all = await made('/FT /Btn /Ff 65536 /MK << /CA (Press) /BG [0.5] /R 90 >>')
    expect(all).toContain(hex('Press'))
    expect(all).toContain('0.5 g')
  })

  test('a text that changed without its appearance is made anew when the form says so', async () => {
    const stale = { 9: streamText('/Subtype /Form /BBox [0 0 100 20]', '(stale) Tj') }
    const widget = '/FT /Tx /V (fresh) /AP << /N 9 0 R >>'
    expect(await made(widget, stale)).toContain('(stale)')
    const anew = await made(widget, stale, '/NeedAppearances true')
    expect(anew).toContain(hex('fresh'))
    expect(anew).not.toContain('(stale)')
    // Japanese cannot be set in a standard font; what is there is better than question marks.
    const kept = await made(
      '/FT /Tx /V <FEFF65E5672C> /AP << /N 9 0 R >>',
      stale,
      '/NeedAppearances true',
    )
    expect(kept).toContain('(stale)')
  })

  test('a field with nothing to show leaves nothing', async () => {
    expect(await made('/FT /Tx')).not.toContain('/Widget0')
    expect(await made('/FT /Sig')).not.toContain('/Widget0')
    expect(
      await made('/FT /Tx /V (x) /DA (\\(\\(\\( 1e999 Tf nonsense) /MK << /BG [(a)] /R 45 >>'),
    ).toContain(hex('x'))
  })
})

describe('what counts as a form', () => {
  test('an empty one is taken away without a word', async () => {
    const { results, findings, output } = await cleaned(
      pdfText({
        1: '<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [] /DA (x) >> >>',
        2: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
        3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>',
      }),
    )
    expect(results[1]).toBe('no_forms')
    expect(findings.security.acroformFlattened).toBe(false)
    expect(everythingIn(output)).not.toContain('/AcroForm')
  })

  test('widgets that no form knows are flattened, too', async () => {
    const { results, output } = await cleaned(
      form('/Rect [0 0 10 10] /AP << /N 9 0 R >>', { 1: '<< /Type /Catalog /Pages 2 0 R >>' }),
    )
    expect(results[1]).toBe('flattened')
    expect(everythingIn(output)).toContain('/Widget0 Do')
  })

  test('an appearance whose resources lead to nothing has those of the form', async () => {
    const { output } = await cleaned(
      form(
        '/FT /Tx /Rect [0 0 90 20] /AP << /N 9 0 R >>',
        {
          9: streamText('/BBox [0 0 90 20] /Resources 99 0 R', 'BT /OfForm 9 Tf (x) Tj ET'),
          30: '<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>',
        },
        '/DR << /Font << /OfForm 30 0 R >> >>',
      ),
    )
    expect(everythingIn(output)).toMatch(/\/Font\s*<<\s*\/OfForm/)
  })

  test('a form, a field and a widget in the dictionaries of streams are flattened like any other', async () => {
    const field = '/FT /Tx /T (f) /V (typed) /Kids [5 0 R]'
    const widget = '/Type /Annot /Subtype /Widget /Parent 6 0 R /Rect [0 0 90 20] /DA (/F 9 Tf)'
    const { results, findings, output, hits, graph } = await cleaned(
      form('', {
        1: '<< /Type /Catalog /Pages 2 0 R /AcroForm 7 0 R >>',
        5: streamText(widget, ''),
        6: streamText(field, ''),
        7: streamText('/Fields [6 0 R]', ''),
      }),
    )
    expect(results).toEqual(['none', 'flattened'])
    expect(findings.security.acroformFlattened).toBe(true)
    expect(everythingIn(output)).toContain('/Widget0 Do')
    expect(everythingIn(output)).toContain('<7479706564>')
    expect(everythingIn(output)).not.toMatch(/AcroForm|Subtype\s*\/Widget/)
    expect(at(graph, 'Pages', 'Kids', 0, 'Annots')).toEqual([])
    expect(hits).toEqual([])
  })

  test('annotations and pop-ups in the dictionaries of streams go with the others', async () => {
    const { findings, output, graph } = await cleaned(
      form('/Rect [0 0 9 9]', {
        3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Annots [6 0 R 7 0 R] /Contents 4 0 R >>',
        6: streamText('/Subtype /Text /Rect [0 0 9 9] /Contents (remark)', ''),
        7: streamText('/Subtype /Popup /Rect [0 0 9 9] /Parent 6 0 R', ''),
      }),
      { removeAnnotations: true },
    )
    expect(findings.security.annotationsRemoved).toBe(true)
    expect(at(graph, 'Pages', 'Kids', 0, 'Annots')).toBe(null)
    expect(everythingIn(output)).not.toMatch(/remark|Popup/)
  })

  test('one in XFA alone is lost with a warning; scripts in it count as scripts', async () => {
    const xfa = (widget: string, template: string): Uint8Array =>
      form(widget, { 30: streamText('/Type /EmbeddedFile', template) }, '/XFA [(template) 30 0 R]')
    const lost = await cleaned(
      xfa('/FT /Tx /Rect [0 0 9 9]', '<template><script>x</script></template>'),
    )
    expect(lost.results).toEqual(['removed', 'flattened'])
    expect(lost.findings.security).toMatchObject({
      javascriptRemoved: true,
      embeddedFilesRemoved: false,
    })
    expect(lost.findings.warnings.map(({ code }) => code)).toEqual(['XFA_CONTENT_LOST'])
    expect(lost.hits).toEqual([])

    const kept = await cleaned(xfa('/FT /Tx /Rect [0 0 9 9] /AP << /N 9 0 R >>', '<template/>'))
    expect(kept.results).toEqual(['none', 'flattened'])
    expect(kept.findings.warnings).toEqual([])
    expect(everythingIn(kept.output)).not.toMatch(/XFA|<template/)
  })

  test('one that XFA draws anew is lost whatever the pages show', async () => {
    const { findings } = await cleaned(
      form('/FT /Tx /Rect [0 0 9 9] /AP << /N 9 0 R >>', {
        1: '<< /Type /Catalog /Pages 2 0 R /NeedsRendering true /AcroForm << /Fields [5 0 R] /XFA [(template) 30 0 R] >> >>',
        30: streamText('', '<template/>'),
      }),
    )
    expect(findings.warnings.map(({ code }) => code)).toEqual(['XFA_CONTENT_LOST'])
  })

  test('a signed document under the policy preserve keeps its form', async () => {
    const { results, findings, output } = await cleaned(
      form('/FT /Tx /V (kept) /Rect [0 0 9 9]'),
      { signedPdfPolicy: 'preserve', removeAnnotations: true },
      ({ findings }) => {
        findings.security.signatureCount = 1
      },
    )
    expect(results[1]).toBe('preserved')
    expect(findings.security).toMatchObject({ acroformFlattened: false, annotationsRemoved: false })
    expect(everythingIn(output)).toContain('(kept)')
  })

  test('the appearance of a stripped signature stays on the page', async () => {
    const { output, results } = await cleaned(
      form('/FT /Sig /V 31 0 R /Rect [0 0 10 10] /AP << /N 9 0 R >>', {
        31: '<< /Type /Sig /Filter /X /ByteRange [0 1 2 3] /Contents <00> >>',
      }),
      {},
      ({ file }) => removeSignatures(file.graph),
    )
    expect(results[1]).toBe('flattened')
    expect(everythingIn(output)).toContain('/Widget0 Do')
    expect(everythingIn(output)).not.toMatch(/ByteRange|\/Sig\b/)
  })
})

const hasPoppler = spawnSync('pdftoppm', ['-v']).status === 0
const withoutPoppler = hasPoppler ? '' : ' (skipped: pdftoppm is not installed)'

describe.skipIf(!hasPoppler)(`a page looks the same before and after${withoutPoppler}`, () => {
  const widget = '/FT /Btn /Rect [60 70 120 160] /AP << /N 9 0 R >>'
  test.each([
    ['plain content', '0 0 1 rg 0 0 20 20 re f'],
    ['a state that is never restored', 'q q .5 0 0 .5 30 30 cm 0 0 1 rg 0 0 20 20 re f'],
    ['a matrix without q', '.5 0 0 .5 30 30 cm 0 0 1 rg 0 0 20 20 re f'],
    ['a clip without q', '0 0 50 50 re W n 0 0 1 rg 0 0 20 20 re f'],
    [
      'restores in strings, comments and images',
      '(Q) pop %Q Q\n<51> pop q BI /W 1 /H 1 /BPC 8 /CS /G ID Q EI Q 0 0 1 rg 0 0 20 20 re f',
    ],
    ['text and marks left open', '/Span BMC BT 0 0 1 rg'],
    ['a string that never ends', '0 0 1 rg 0 0 20 20 re f (oh'],
    ['an image that never ends', '0 0 1 rg 0 0 20 20 re f BI /W 9 /H 9 ID xxxx'],
    ['no content', ''],
  ])('%s', async (_, content) => {
    const file = form(widget, { 4: streamText('', content) })
    const { output } = await cleaned(file)
    expect(pictures(output)).toEqual(pictures(file))
    expect(pictures(output)[0]).toContain('ff0000')
  })

  test('restores too many are passed over, as most viewers do', async () => {
    const content = (excess: string): string => `1 0 0 1 50 0 cm ${excess} 0 0 1 rg 0 0 20 20 re f`
    const { output } = await cleaned(form(widget, { 4: streamText('', content('Q Q')) }))
    expect(pictures(output)).toEqual(pictures(form(widget, { 4: streamText('', content('')) })))
  })

  test.each([90, 180, 270])(
    'a widget that stays upright on a page turned by %i degrees',
    async (angle) => {
      const file = form('/FT /Btn /F 20 /Rect [60 70 120 100] /AP << /N 9 0 R >>', {
        3: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Rotate ${angle} /Annots [5 0 R] /Contents 4 0 R >>`,
      })
      const { output } = await cleaned(file)
      // Edges may round the other way.
      expect(difference(pictures(output), pictures(file))).toBeLessThan(0.002)
      expect(pictures(output)[0]).toContain('ff0000')
    },
  )

  test('an appearance that is turned and a page that is turned', async () => {
    const file = form(widget, {
      3: '<< /Type /Page /Parent 2 0 R /MediaBox [10 20 210 180] /Rotate 90 /Annots [5 0 R] /Contents 4 0 R >>',
      9: streamText(
        '/BBox [0 0 90 60] /Matrix [0 1 -1 0 60 0]',
        '1 0 0 rg 0 0 45 30 re f 0 1 0 rg 45 30 45 30 re f',
      ),
    })
    const { output } = await cleaned(file)
    expect(pictures(output)).toEqual(pictures(file))
  })
})

const corpus = new URL('../../../../shared/corpus/', import.meta.url)
const hasCorpus = existsSync(new URL('manifest.jsonl', corpus))

test.skipIf(!hasCorpus || !hasPoppler)(
  `forms of the corpus look the same before and after${hasCorpus ? withoutPoppler : ' (skipped: no corpus)'}`,
  async () => {
    const names = readdirSync(new URL('acroform/', corpus)).filter((name) =>
      /create_form|form_two_pages|test80b2|AcroForm_TEST|simple-acroform-states.pdf|with_signature/.test(
        name,
      ),
    )
    expect(names.length).toBeGreaterThan(5)
    for (const name of names) {
      const file = readFileSync(new URL(`acroform/${name}`, corpus))
      const { output, hits } = await cleaned(file)
      expect.soft(hits, name).toEqual([])
      expect.soft(difference(pictures(output), pictures(file)), name).toBeLessThan(0.001)
    }
  },
)

/** A program with nothing but a map (format 4) of the characters to the glyphs 1, 2, … */
function trueTypeProgram(codePoints: readonly number[]): string {
  const count = codePoints.length + 1
  const word = (value: number): string => String.fromCharCode((value >> 8) & 0xff, value & 0xff)
  const words = (values: readonly number[]): string => values.map(word).join('')
  const ends = [...codePoints, 0xffff]
  const deltas = [...codePoints.map((codePoint, index) => index + 1 - codePoint), 1]
  const segments = words(ends) + word(0) + words(ends) + words(deltas) + words(ends.map(() => 0))
  const subtable = words([4, 14 + segments.length, 0, count * 2, 0, 0, 0]) + segments
  const table = words([0, 1, 3, 1, 0, 12]) + subtable
  const directory = `cmap${words([0, 0, 0, 28, 0, table.length])}`
  return `\0\x01\0\0${words([1, 0, 0, 0])}${directory}${table}`
}

function entries(object: unknown): [string, unknown][] {
  return object instanceof PdfDictionary ? [...object] : []
}

/** The pixels of the first two pages as hexadecimal digits, at 36 dots to the inch. */
function pictures(file: Uint8Array): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'pdfnorm-'))
  try {
    const path = join(folder, 'file.pdf')
    writeFileSync(path, file)
    execFileSync('pdftoppm', ['-r', '36', '-l', '2', path, join(folder, 'page')], {
      stdio: 'ignore',
    })
    const pages = readdirSync(folder)
      .filter((name) => name.endsWith('.ppm'))
      .sort()
    return pages.map((name) => readFileSync(join(folder, name)).toString('hex'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The part of the bytes that differ; 1 where sizes do. */
function difference(one: readonly string[], other: readonly string[]): number {
  const [a, b] = [Buffer.from(one.join(''), 'hex'), Buffer.from(other.join(''), 'hex')]
  if (a.length !== b.length) return 1
  let differing = 0
  for (const [index, byte] of a.entries()) if (Math.abs(byte - (b[index] ?? 0)) > 24) differing++
  return differing / Math.max(1, a.length)
}
