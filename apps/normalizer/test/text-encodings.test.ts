import { describe, expect, test } from 'vitest'
import { normalize } from '../src/normalize.ts'
import { buildPdf, onePage, type PdfBody, stream } from './fixture/build-pdf.ts'
import { cffProgram, trueTypeProgram, type1Program } from './fixture/font-program.ts'
import { shownIn, textPage } from './fixture/shown-text.ts'

/** What a glyph without a Unicode value stands for: a private character by its code. */
const unknown = (code: number): string => String.fromCodePoint(0xf0000 + code)

describe('codes of a simple font', () => {
  const withEncoding = (encoding: string, name = 'Test'): string =>
    `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding ${encoding} >>`

  test('are read by the encoding that is named', async () => {
    expect(await shownIn(withEncoding('/WinAnsiEncoding'), '<80 93 94 AD E4>')).toBe('€“”-ä')
    expect(await shownIn(withEncoding('/MacRomanEncoding'), '<8A D2 DB>')).toBe('ä“¤')
    expect(await shownIn(withEncoding('/StandardEncoding'), '<27 60 AA AE>')).toBe('’‘“ﬁ')
    expect(await shownIn(withEncoding('/MacExpertEncoding'), '<47 56>')).toBe('¼ﬀ')
    expect(await shownIn(withEncoding('/NoSuchEncoding'), '(a)')).toBe('a')
  })

  test('are those of Symbol and ZapfDingbats in these fonts', async () => {
    const standard = (name: string): string =>
      `<< /Type /Font /Subtype /Type1 /BaseFont /${name} >>`
    expect(await shownIn(standard('Symbol'), '(abp)')).toBe('αβπ')
    expect(await shownIn(standard('ZapfDingbats'), '(4l)')).toBe('✔●')
  })

  test('have names in differences, by the Adobe Glyph List and by what names say themselves', async () => {
    const differences =
      '<< /BaseEncoding /WinAnsiEncoding /Differences [1 /eacute /uni0416 /u1F600 /f_f_i /A.swash 65 /B ' +
      '/g12 /.notdef /uniD800 /afii10017] >>'
    const font = withEncoding(differences)
    expect(await shownIn(font, '<01 02 03 04 05>')).toBe('éЖ😀ffiA')
    expect(await shownIn(font, '(ABCDEF)')).toBe(`B${unknown(66)}${unknown(68)}АF`)
    expect(await shownIn(withEncoding('<< /Differences [65 /a20] >>', 'ZapfDingbats'), '(A)')).toBe(
      '✔',
    )
  })

  test('mean what ToUnicode says before all else', async () => {
    const font =
      '<< /Type /Font /Subtype /Type1 /BaseFont /Test /Encoding /WinAnsiEncoding /ToUnicode 10 0 R >>'
    const map = stream(
      '1 begincodespacerange <00> <FF> endcodespacerange ' +
        '3 beginbfchar <41> <0058> <42> <D83DDE00> <43> <00660069> endbfchar ' +
        '2 beginbfrange <61> <63> <0391> <64> <65> [<0041> /eacute] endbfrange',
    )
    expect(await shownIn(font, '(ABCabcdez)', { 10: map })).toBe('X😀fiΑΒΓAéz')
  })

  test('without a value are neither nothing nor alike', async () => {
    const type3 =
      '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [0.1 0 0 0.1 0 0] /FirstChar 65 ' +
      '/LastChar 66 /Widths [10 10] /CharProcs << /g1 10 0 R /g2 10 0 R >> ' +
      '/Encoding << /Differences [65 /g1 /g2] >> >>'
    const glyph = { 10: stream('10 0 d0 0 0 5 5 re f') }
    expect(await shownIn(type3, '(AB)', glyph)).toBe(unknown(65) + unknown(66))
  })
})

describe('codes of a simple font without an encoding', () => {
  const embedded = (subtype: string, key: string): string =>
    `<< /Type /Font /Subtype /${subtype} /BaseFont /Test /FirstChar 0 /LastChar 0 /Widths [500] ` +
    `/FontDescriptor << /Type /FontDescriptor /FontName /Test /Flags 4 /${key} 10 0 R >> >>`

  test('are those of the encoding vector of a Type 1 program', async () => {
    const program = type1Program({ 1: 'Aacute', 2: 'f_i', 3: 'G03' })
    const font = embedded('Type1', 'FontFile')
    expect(await shownIn(font, '<01 02 03>', { 10: stream(program) })).toBe(`Áfi${unknown(3)}`)
  })

  test('are those of the encoding of a Compact Font Format program', async () => {
    const program = cffProgram([
      [1, 'Aacute'],
      [2, 'g7'],
      [200, 'uni20AC'],
    ])
    const objects = { 10: stream(program, '/Subtype /Type1C') }
    const font = embedded('Type1', 'FontFile3')
    expect(await shownIn(font, '<01 C8 02>', objects)).toBe(`Á€${unknown(2)}`)
  })

  test('lead to glyphs of a TrueType program, which its Unicode map or its names tell', async () => {
    const program = trueTypeProgram(
      [
        { platform: 3, encoding: 0, glyphs: { 0xf041: 1, 0xf042: 2 } },
        { platform: 3, encoding: 1, glyphs: { 0x416: 1 } },
      ],
      ['.notdef', 'x', 'Omega', 'y'],
    )
    const font = embedded('TrueType', 'FontFile2')
    expect(await shownIn(font, '(ABC)', { 10: stream(program) })).toBe(`Ж\u03a9${unknown(67)}`)
  })

  test('are what a Macintosh or Windows map of a TrueType program has them for, where nothing else tells', async () => {
    const font = embedded('TrueType', 'FontFile2')
    const macintosh = trueTypeProgram([{ platform: 1, encoding: 0, glyphs: { 0x8a: 1, 3: 2 } }])
    expect(await shownIn(font, '<8A 03>', { 10: stream(macintosh) })).toBe(`ä${unknown(3)}`)
    const symbols = trueTypeProgram([{ platform: 3, encoding: 0, glyphs: { 0xf080: 1 } }])
    expect(await shownIn(font, '<80>', { 10: stream(symbols) })).toBe('€')
  })
})

describe('codes of a composite font', () => {
  const composite = (encoding: string, descendant: string, entries = ''): string =>
    `<< /Type /Font /Subtype /Type0 /BaseFont /Test /Encoding ${encoding} ${entries} ` +
    `/DescendantFonts [<< /Type /Font /BaseFont /Test ${descendant} >>] >>`
  const ofCollection = (ordering: string): string =>
    `/Subtype /CIDFontType0 /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >>`
  const identity = `/Subtype /CIDFontType2 /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >>`

  test('mean what ToUnicode says', async () => {
    const map = stream('1 beginbfrange <0001> <0003> <0041> endbfrange')
    const font = composite('/Identity-H', identity, '/ToUnicode 10 0 R')
    expect(await shownIn(font, '<0001 0003 0009>', { 10: map })).toBe(`AC${unknown(9)}`)
  })

  test('are characters themselves in encodings of Unicode', async () => {
    expect(await shownIn(composite('/UniJIS-UTF16-H', ofCollection('Japan1')), '<65E5 672C>')).toBe(
      '日本',
    )
    expect(await shownIn(composite('/UniGB-UCS2-H', ofCollection('GB1')), '<4E2D>')).toBe('中')
    expect(await shownIn(composite('/UniCNS-UTF32-H', ofCollection('CNS1')), '<00004E2D>')).toBe(
      '中',
    )
    expect(await shownIn(composite('/UniKS-UTF8-H', ofCollection('Korea1')), '<ED959C>')).toBe('한')
  })

  test('are those of the older Asian encodings, of one and two bytes', async () => {
    const encode = (bytes: readonly number[]): string => `<${Buffer.from(bytes).toString('hex')}>`
    const japanese = composite('/90ms-RKSJ-H', ofCollection('Japan1'))
    expect(await shownIn(japanese, encode([0x93, 0xfa, 0x41, 0x96, 0x7b]))).toBe('日A本')
    const chinese = composite('/GBK-EUC-H', ofCollection('GB1'))
    expect(await shownIn(chinese, encode([0xd6, 0xd0, 0xce, 0xc4]))).toBe('中文')
    const taiwanese = composite('/ETen-B5-V', ofCollection('CNS1'))
    expect(await shownIn(taiwanese, encode([0xa4, 0xa4]))).toBe('中')
    const korean = composite('/KSCms-UHC-H', ofCollection('Korea1'))
    expect(await shownIn(korean, encode([0xc7, 0xd1]))).toBe('한')
  })

  test('are identifiers of a collection', async () => {
    expect(await shownIn(composite('/Identity-H', ofCollection('Japan1')), '<0022 0CD4>')).toBe(
      'A日',
    )
  })

  test('go through CMaps of the file, which build on others', async () => {
    const nearest = stream(
      '/Nearest usecmap 1 begincidchar <05> 34 endcidchar',
      '/Type /CMap /CMapName /Own /UseCMap 11 0 R',
    )
    const base = stream(
      '2 begincodespacerange <00> <7F> <8000> <FFFF> endcodespacerange 1 begincidrange <41> <42> 35 endcidrange',
      '/Type /CMap /CMapName /Nearest',
    )
    const font = composite('10 0 R', ofCollection('Japan1'))
    expect(await shownIn(font, '<05 41 42>', { 10: nearest, 11: base })).toBe('ABC')
  })

  test('are glyphs of the embedded program, through the map of the font', async () => {
    const program = trueTypeProgram([{ platform: 3, encoding: 1, glyphs: { 0x3a9: 2, 0x3b1: 3 } }])
    const descendant = (map: string): string =>
      `${identity} /CIDToGIDMap ${map} ` +
      '/FontDescriptor << /Type /FontDescriptor /FontName /Test /Flags 4 /FontFile2 10 0 R >>'
    const objects: Record<number, PdfBody> = {
      10: stream(program),
      11: stream(Uint8Array.of(0, 0, 0, 3)),
    }
    expect(
      await shownIn(composite('/Identity-H', descendant('/Identity')), '<0002>', objects),
    ).toBe('Ω')
    expect(await shownIn(composite('/Identity-H', descendant('11 0 R')), '<0001>', objects)).toBe(
      'α',
    )
  })

  test('run downwards in vertical writing without a space after each', async () => {
    const font = composite('/UniJIS-UTF16-V', ofCollection('Japan1'))
    expect(await shownIn(font, '<65E5> Tj <672C>')).toBe('日本')
  })
})

describe('hostile fonts', () => {
  const toUnicode =
    '<< /Type /Font /Subtype /Type1 /BaseFont /Test /Encoding /WinAnsiEncoding /ToUnicode 10 0 R >>'

  test('cost no more than others: ranges without end, maps that build on themselves', async () => {
    const ranges = `beginbfrange ${'<00000000> <FFFFFFFF> <0041> '.repeat(20_000)} endbfrange`
    expect(await shownIn(toUnicode, '(\\001)', { 10: stream(ranges) })).toBe('B')
    const cyclic = stream('', '/Type /CMap /CMapName /C /UseCMap 10 0 R')
    const font =
      '<< /Type /Font /Subtype /Type0 /BaseFont /Test /Encoding 10 0 R /DescendantFonts [<< /Subtype /CIDFontType0 ' +
      '/BaseFont /Test /W [0 4294967295 500 0 4294967295 600] >>] >>'
    expect(await shownIn(font, '<0041>', { 10: cyclic })).toBe(null)
  })

  test('that share one large map are not read without end', async () => {
    const font = (number: number): string =>
      `/F${number} << /Type /Font /Subtype /Type1 /BaseFont /T${number} /ToUnicode 10 0 R >>`
    const numbers = Array.from({ length: 400 }, (_, number) => number)
    const bytes = buildPdf({
      objects: {
        ...onePage(),
        4: stream(`BT ${numbers.map((number) => `/F${number} 9 Tf (a) Tj`).join(' ')} ET`),
        5: `<< ${numbers.map(font).join(' ')} >>`,
        3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << /Font 5 0 R >> >>',
        10: stream(`${' '.repeat(1_000_000)}beginbfchar <61> <0041> endbfchar`),
      },
    })
    const outcome = await normalize(bytes)
    expect(outcome.kind).toBe('normalized')
    expect(outcome.stages[9]?.result).toBe('unavailable')
  })

  test('in which a code stands for a page of text do not fill the memory', async () => {
    const map = stream(`1 beginbfchar <61> <${'0041'.repeat(256)}> endbfchar`)
    const bytes = textPage({
      content: `BT /F1 9 Tf (${'a'.repeat(100_000)}) Tj ET`,
      font: toUnicode,
      objects: { 10: map },
    })
    expect((await normalize(bytes)).stages[9]?.result).toBe('unavailable')
  })

  test('with programs cut off anywhere are read as far as they go', async () => {
    const programs: [string, Uint8Array][] = [
      ['FontFile', type1Program({ 1: 'A' })],
      ['FontFile3', cffProgram([[1, 'A']])],
      [
        'FontFile2',
        trueTypeProgram([{ platform: 3, encoding: 0, glyphs: { 0xf001: 1 } }], ['x', 'A']),
      ],
    ]
    for (const [key, program] of programs) {
      const font =
        `<< /Type /Font /Subtype /TrueType /BaseFont /Test ` +
        `/FontDescriptor << /Type /FontDescriptor /Flags 4 /${key} 10 0 R >> >>`
      const texts = new Set<string | null>()
      for (let length = 4; length <= program.length; length += 7) {
        texts.add(await shownIn(font, '<01>', { 10: stream(program.subarray(0, length)) }))
      }
      expect(await shownIn(font, '<01>', { 10: stream(program) })).toBe('A')
      texts.delete('A')
      expect([...texts].filter((text) => text !== unknown(1) && text !== null)).toEqual([])
    }
  })

  test('with random bytes in their tables end', async () => {
    const program = trueTypeProgram([{ platform: 3, encoding: 1, glyphs: { 0x41: 1 } }], ['x', 'A'])
    const font =
      '<< /Type /Font /Subtype /TrueType /BaseFont /Test ' +
      '/FontDescriptor << /Type /FontDescriptor /Flags 4 /FontFile2 10 0 R >> >>'
    for (let at = 4; at < program.length; at += 3) {
      const damaged = new Uint8Array(program)
      damaged.fill(0xff, at, at + 2)
      await expect(shownIn(font, '<01>', { 10: stream(damaged) })).resolves.not.toBeUndefined()
    }
  })
})
