import { describe, expect, test } from 'vitest'
import type { Flavour } from '../src/pdfa/flavour.ts'
import { type PdfBody, type PdfStreamBody, stream } from './fixture/build-pdf.ts'
import { failedRules } from './fixture/failed-rules.ts'
import {
  type CharacterMap,
  cffProgram,
  cidProgram,
  trueTypeProgram,
  type1Glyphs,
} from './fixture/font-program.ts'
import { dictionary, type Entries, pdfaDocument } from './fixture/pdfa-document.ts'

/** What fails in 1a, 2a and 4, in this order; rules that fail together stand in one string. */
type Expected = readonly [string, string, string]

const nothing: Expected = ['', '', '']
const missingGlyph: Expected = ['6.3.5 t1', '6.2.11.4.1 t2', '6.2.10.4.1 t2']
const wrongWidth: Expected = ['6.3.6 t1', '6.2.11.5 t1', '6.2.10.5 t1']
const missingProgram: Expected = ['6.3.4 t1', '6.2.11.4.1 t1', '6.2.10.4.1 t1']
const unmapped: Expected = ['6.3.8 t1', '6.2.11.7.2 t1', '']
/** The clause on embedding says so of what is rendered, that on .notdef of what is shown. */
const showsNotdef: Expected = ['', '6.2.11.4.1 t3 6.2.11.8 t1', '6.2.10.4.1 t3 6.2.10.9 t1']
/** Of a character that is not there nothing but the glyph 0 is shown. */
const notThere: Expected = together(missingGlyph, showsNotdef)

describe('a simple TrueType font', () => {
  test.each<[string, TrueTypeChanges, Expected]>([
    ['complies', {}, nothing],
    ['has its type', { font: { Type: null } }, ['6.3.2 t1', '6.2.11.2 t1', '6.2.10.2 t1']],
    ['has a name', { font: { BaseFont: null } }, ['6.3.2 t3', '6.2.11.2 t3', '6.2.10.2 t3']],
    ['has a name in UTF-8', { font: { BaseFont: '/A#ff' } }, ['', '6.1.8 t1', '6.1.7 t1']],
    ['may be called in Japanese', { font: { BaseFont: '/#E3#81#82' } }, nothing],
    [
      'has as many widths as codes',
      { font: { Widths: '[600 700 800]' } },
      ['6.3.2 t6', '6.2.11.2 t6', '6.2.10.2 t6'],
    ],
    [
      'has a first code and widths',
      { font: { FirstChar: null, Widths: null } },
      [
        '6.3.2 t4 6.3.2 t6 6.3.6 t1',
        '6.2.11.2 t4 6.2.11.2 t6 6.2.11.5 t1',
        '6.2.10.2 t4 6.2.10.2 t6 6.2.10.5 t1',
      ],
    ],
    ['is embedded', { program: null }, missingProgram],
    ['is embedded so that it can be read', { program: Buffer.from('nothing') }, missingProgram],
    ['need not be embedded where it is invisible', { program: null, mode: 3 }, nothing],
    [
      'is embedded where it is invisible only at first',
      { program: null, mode: '3 Tr (A) Tj 0' },
      missingProgram,
    ],
    ['is embedded even to show nothing', { program: null, text: '()' }, missingProgram],
    [
      'has the glyphs that it shows',
      { text: '(C)', font: { LastChar: '67', Widths: '[600 700 500]' } },
      missingGlyph,
    ],
    ['may lack those that are invisible', { text: '(C)', mode: 3 }, nothing],
    ['may be off by a thousandth of an em', { font: { Widths: '[601 700]' } }, nothing],
    ['has right widths', { font: { Widths: '[601.5 700]' } }, wrongWidth],
    [
      'may have other widths where it is invisible',
      { font: { Widths: '[1 1]' }, mode: 3 },
      nothing,
    ],
    [
      'has right widths where it is visible at last',
      { font: { Widths: '[1 1]' }, mode: '3 Tr (A) Tj 0' },
      wrongWidth,
    ],
    [
      'has no width for codes outside the list',
      { font: { FirstChar: '66', Widths: '[700]' } },
      wrongWidth,
    ],
    [
      'has the missing width for those',
      { font: { FirstChar: '66', Widths: '[700]' }, descriptor: { MissingWidth: '600' } },
      nothing,
    ],
    [
      'is encoded as WinAnsi or Mac Roman',
      { font: { Encoding: '/StandardEncoding' } },
      together(unmapped, ['6.3.7 t1', '6.2.11.6 t2', '6.2.10.6 t2']),
    ],
    [
      'may have differences after part 1',
      {
        font: {
          Encoding: '<< /BaseEncoding /WinAnsiEncoding /Differences [65 /B] >>',
          Widths: '[700 700]',
        },
      },
      ['6.3.7 t1', '', ''],
    ],
    [
      'has no differences outside the Adobe Glyph List',
      { font: { Encoding: '<< /BaseEncoding /WinAnsiEncoding /Differences [66 /uni0041] >>' } },
      ['6.3.7 t1', '6.2.11.6 t2', '6.2.10.6 t2'],
    ],
    [
      'does not show what the encoding leaves out',
      { text: '(\\001)', font: { FirstChar: '1', LastChar: '1', Widths: '[500]' } },
      [
        '6.3.5 t1',
        '6.2.11.4.1 t2 6.2.11.4.1 t3 6.2.11.7.2 t2 6.2.11.8 t1',
        '6.2.10.4.1 t2 6.2.10.4.1 t3 6.2.10.7 t1 6.2.10.9 t1',
      ],
    ],
    [
      'has a Unicode or a Mac OS map',
      { maps: [[3, 10]], names: ['.notdef', 'A', 'B'] },
      ['', '', '6.2.10.6 t1'],
    ],
    [
      'has more than a map for symbols',
      { maps: [[3, 0]], names: ['.notdef', 'A', 'B'] },
      ['', '6.2.11.6 t1', '6.2.10.6 t1'],
    ],
    ['may find glyphs by the Mac OS map', { maps: [[1, 0]] }, nothing],
  ])('%s', (_, changes, expected) => {
    expect(failures(trueType(changes))).toEqual(expected)
  })

  test.each<[string, TrueTypeChanges, Expected]>([
    ['finds glyphs by the map for symbols', { maps: [[3, 0]], shift: 0xf000 }, unmapped],
    ['finds glyphs by the Mac OS map', { maps: [[1, 0]] }, unmapped],
    [
      'has no encoding',
      { maps: [[3, 0]], font: { Encoding: '/WinAnsiEncoding' } },
      ['6.3.7 t2', '6.2.11.6 t3', '6.2.10.6 t3'],
    ],
    [
      'has one map only, or one for symbols',
      {
        maps: [
          [1, 0],
          [3, 1],
        ],
      },
      ['6.3.7 t3 6.3.8 t1', '6.2.11.6 t4 6.2.11.7.2 t1', ''],
    ],
    [
      'has a map for symbols or of Mac OS',
      { maps: [[3, 1]] },
      ['6.3.5 t1 6.3.8 t1', '6.2.11.4.1 t2 6.2.11.7.2 t1', '6.2.10.4.1 t2 6.2.10.6 t4'],
    ],
  ])('that is symbolic %s', (_, changes, expected) => {
    const { font, ...others } = changes
    const symbolic = { Encoding: null, ...font }
    expect(failures(trueType({ ...others, font: symbolic, descriptor: { Flags: '4' } }))).toEqual(
      expected,
    )
  })
})

describe('a Type 1 font', () => {
  test.each<[string, Type1Changes, Expected]>([
    ['complies', {}, nothing],
    ['complies as Compact Font Format', { program: compact }, nothing],
    ['has right widths', { font: { Widths: '[500 700]' } }, wrongWidth],
    [
      'has right widths as Compact Font Format',
      { program: compact, font: { Widths: '[500 700]' } },
      wrongWidth,
    ],
    ['has its glyphs', { text: '(C)' }, missingGlyph],
    [
      'has its glyphs as Compact Font Format',
      { program: compact, text: '(C)', font: { Encoding: '/WinAnsiEncoding' } },
      missingGlyph,
    ],
    [
      'is not in hexadecimal digits',
      { program: ['FontFile', '', hexadecimal] },
      together(missingProgram, unmapped),
    ],
    [
      'has no program of a form that is not known',
      { program: ['FontFile3', '/Subtype /Type2C', compactProgram] },
      together(['6.3.2 t7', '6.2.11.2 t7', '6.2.10.2 t7'], together(missingProgram, unmapped)),
    ],
    [
      'shows names of the Adobe Glyph List',
      { font: { Encoding: named('foo') } },
      together(together(missingGlyph, wrongWidth), unmapped),
    ],
    [
      'shows no private characters without replacement text',
      { glyph: 'Asmall', font: { Encoding: named('Asmall') } },
      ['', '6.2.11.7.3 t1', ''],
    ],
    ['lists the glyphs of a subset', { list: '(/A/B)' }, nothing],
    ['lists all glyphs of a subset', { list: '(/A)' }, ['', '6.2.11.4.2 t1', '']],
    ['lists no glyphs that a subset lacks', { list: '(/A/B/C)' }, ['', '6.2.11.4.2 t1', '']],
    ['may list .notdef', { list: '(/.notdef/A/B)' }, nothing],
    [
      'lists what is shown',
      { list: '(/B)', font: { Encoding: '/WinAnsiEncoding' } },
      ['6.3.5 t2', '6.2.11.4.2 t1', ''],
    ],
    ['has a list', { list: null, font: { BaseFont: '/ABCDEF+Test' } }, ['6.3.5 t2', '', '']],
  ])('%s', (_, changes, expected) => {
    expect(failures(type1(changes))).toEqual(expected)
  })

  test('of the standard fourteen needs no widths, but a program', () => {
    const bare = {
      Type: '/Font',
      Subtype: '/Type1',
      BaseFont: '/Helvetica',
      Encoding: '/WinAnsiEncoding',
    }
    expect(failures({ text: '(A)', objects: { 20: dictionary(bare) } })).toEqual(missingProgram)
  })
})

describe('a Type 3 font', () => {
  test.each<[string, string, Entries, Expected]>([
    [
      'complies after part 1, which knows no names of such glyphs',
      '600 0 d0',
      {},
      ['6.3.8 t1', '', ''],
    ],
    ['has right widths', '500 0 d0', {}, together(['6.3.8 t1', '', ''], wrongWidth)],
    [
      'begins its glyphs with the width',
      'q 600 0 d0 Q',
      {},
      together(['6.3.8 t1', '', ''], wrongWidth),
    ],
    [
      'has the glyphs that it shows',
      '600 0 d0',
      { CharProcs: '<< >>', Widths: '[0]' },
      together(['6.3.8 t1', '', ''], missingGlyph),
    ],
  ])('%s', (_, procedure, changes, expected) => {
    const font = dictionary({
      Type: '/Font',
      Subtype: '/Type3',
      FontBBox: '[0 0 1000 1000]',
      FontMatrix: '[0.001 0 0 0.001 0 0]',
      CharProcs: '<< /A 21 0 R >>',
      Encoding: named('A'),
      FirstChar: '65',
      LastChar: '65',
      Widths: '[600]',
      Resources: '<< >>',
      ...changes,
    })
    expect(failures({ text: '(A)', objects: { 20: font, 21: stream(procedure) } })).toEqual(
      expected,
    )
  })
})

describe('a composite font', () => {
  test.each<[string, CompositeChanges, Expected]>([
    ['complies', {}, nothing],
    ['complies with Compact Font Format', { program: keyed }, nothing],
    ['has its glyphs', { text: '<0009>' }, notThere],
    ['has its glyphs in Compact Font Format', { program: keyed, text: '<0001>' }, notThere],
    ['does not show the character 0', { text: '<0000>', cidFont: { DW: '500' } }, showsNotdef],
    [
      'does not show the character 0 without rendering it',
      { text: '<0000>', cidFont: { DW: '500' }, mode: 3 },
      ['', '6.2.11.8 t1', '6.2.10.9 t1'],
    ],
    ['has right widths', { cidFont: { W: '[1 [500]]' } }, wrongWidth],
    ['has right widths for ranges', { cidFont: { W: '[1 2 500]' } }, wrongWidth],
    ['has right widths where none is said', { cidFont: { W: null } }, wrongWidth],
    ['is embedded', { program: null }, missingProgram],
    [
      'says which glyphs it means',
      { cidFont: { CIDToGIDMap: null } },
      ['6.3.3.2 t1', '6.2.11.3.2 t1', '6.2.10.3.2 t1'],
    ],
    [
      'may say so by a stream',
      { cidFont: { CIDToGIDMap: '30 0 R', W: '[2 [600]]' }, text: '<0002>' },
      nothing,
    ],
    ['has a set of its identifiers in part 1', { set: null }, ['6.3.5 t3', '', '']],
    ['has all identifiers in the set', { set: '40' }, ['', '6.2.11.4.2 t2', '']],
    ['has what is shown in the set', { set: '20' }, ['6.3.5 t3', '6.2.11.4.2 t2', '']],
    ['has no others in the set', { set: '70' }, ['', '6.2.11.4.2 t2', '']],
    ['may have zeros behind the set', { set: '600000' }, nothing],
    ['maps what it shows to Unicode', { toUnicode: '<0002> <0041>' }, unmapped],
    [
      'maps nothing to U+0000',
      { toUnicode: '<0001> <0000>' },
      ['', '6.2.11.7.2 t2', '6.2.10.7 t1'],
    ],
    [
      'maps nothing to U+FEFF',
      { toUnicode: '<0001> <FEFF>' },
      ['', '6.2.11.7.2 t2', '6.2.10.7 t1'],
    ],
    [
      'maps nothing to a private area',
      { toUnicode: '<0001> <DB80DC00>' },
      ['', '6.2.11.7.3 t1', ''],
    ],
    [
      'may do so within replacement text',
      { toUnicode: '<0001> <E000>', before: '/Span << /ActualText (x) >> BDC', after: 'EMC' },
      nothing,
    ],
    [
      'has an encoding of its own collection',
      { encoding: '/90ms-RKSJ-H', program: null, mode: 3 },
      ['6.3.3.1 t1 6.3.3.3 t1', '6.2.11.3.1 t1', '6.2.10.3.1 t1'],
    ],
    [
      'is of no later supplement than its encoding',
      {
        encoding: '/90ms-RKSJ-H',
        program: null,
        mode: 3,
        cidFont: { CIDSystemInfo: collection('Japan1', 3) },
      },
      ['6.3.3.3 t1', '6.2.11.3.1 t1', ''],
    ],
    [
      'has an encoding that every reader has',
      { encoding: '/UniJIS2004-UTF16-H', program: null, mode: 3 },
      ['6.3.3.1 t1 6.3.3.3 t1', '6.2.11.3.1 t1 6.2.11.3.3 t1', '6.2.10.3.1 t1 6.2.10.3.3 t1'],
    ],
  ])('%s', (_, changes, expected) => {
    expect(failures(composite(changes))).toEqual(expected)
  })

  test.each<[string, { map?: string; entries?: string }, Expected]>([
    ['complies', {}, nothing],
    [
      'has its writing mode in its dictionary',
      { entries: '/WMode 1' },
      ['6.3.3.3 t2', '6.2.11.3.3 t2', '6.2.10.3.3 t2'],
    ],
    [
      'has no identifier above 65,535',
      { map: '<0100> <01ff> 65500' },
      ['6.1.12 t10', '6.1.13 t10', ''],
    ],
    ['may build on one that every reader has', { entries: '/UseCMap /Identity-H' }, nothing],
    [
      'builds on no other one',
      { entries: '/UseCMap /Other-H' },
      ['6.3.3.3 t1', '6.2.11.3.3 t1 6.2.11.3.3 t3', '6.2.10.3.3 t1 6.2.10.3.3 t3'],
    ],
    ['has the codes that are shown', { map: '<0002> <0002> 2' }, notThere],
  ])('whose map is embedded %s', (_, { map = '', entries = '' }, expected) => {
    const ranges = map.startsWith('<0002>') ? map : `<0000> <0003> 0 ${map}`.trim()
    const encoding = characterMap(
      `1 begincodespacerange <0000> <ffff> endcodespacerange ${ranges.split(' ').length / 3} begincidrange ${ranges} endcidrange`,
      `/Type /CMap /CMapName /Own /CIDSystemInfo ${collection('Identity', 0)} ${entries}`,
    )
    const missing = expected === notThere ? { cidFont: { W: '[0 [500 500]]' } } : {}
    expect(failures(composite({ encoding, ...missing }))).toEqual(expected)
  })
})

test.each<[string, Uint8Array]>([
  ['counts of 65,535 everywhere', Buffer.alloc(400, 0xff)],
  [
    'a table directory that leads outside',
    Buffer.concat([trueTypeProgram([]), Buffer.alloc(64, 0xff)]),
  ],
  [
    'a Type 1 program that only begins',
    Buffer.from('%!PS-AdobeFont-1.0\ncurrentfile eexec\n\xff\xff\xff\xff', 'latin1'),
  ],
])('a font program with %s is one that cannot be read', (_, program) => {
  for (const key of ['FontFile', 'FontFile2', 'FontFile3']) {
    for (const subtype of ['Type1', 'TrueType']) {
      const rules = failures(
        type1({ program: [key, '/Subtype /Type1C', program], font: { Subtype: `/${subtype}` } }),
      )
      expect(rules[1].split(/ (?=6)/)).toContain('6.2.11.4.1 t1')
    }
  }
})

test('a map that builds on itself is gone through once', () => {
  const encoding = characterMap('', '/Type /CMap /CMapName /Own /UseCMap 22 0 R')
  expect(failures(composite({ encoding }))[1]).toContain('6.2.11.3.3 t3')
})

const compactProgram = cffProgram([
  [65, 'A', 600],
  [66, 'B', 700],
])
const compact = ['FontFile3', '/Subtype /Type1C', compactProgram] as const
const hexadecimal = Buffer.from('%!PS-AdobeFont-1.0\ncurrentfile eexec\n0123456789abcdef', 'latin1')
const keyedProgram = cidProgram([
  [5, 600],
  [6, 700],
])
const keyed = 'keyed'

/** An encoding in which the code 65 has this name. */
function named(name: string): string {
  return `<< /Differences [65 /${name}] >>`
}

function collection(ordering: string, supplement: number): string {
  return `<< /Registry (Adobe) /Ordering (${ordering}) /Supplement ${supplement} >>`
}

function characterMap(body: string, entries = ''): PdfStreamBody {
  const beginning = '/CIDInit /ProcSet findresource begin 12 dict begin begincmap'
  return stream(`${beginning} ${body} endcmap end end`, entries)
}

function together(one: Expected, other: Expected): Expected {
  const rules = (at: 0 | 1 | 2): string =>
    [one[at], other[at]]
      .filter((rule) => rule !== '')
      .sort(inOrder)
      .join(' ')
  return [rules(0), rules(1), rules(2)]
}

function inOrder(one: string, other: string): number {
  return new Intl.Collator('en', { numeric: true }).compare(one, other)
}

function failures({
  text = '',
  mode = 0,
  before = '',
  after = '',
  objects,
}: FontDocument): Expected {
  const failed = (flavour: Flavour): string =>
    failedRules(
      pdfaDocument(flavour, {
        resources: { Font: '<< /F1 20 0 R >>' },
        content: `${before} BT /F1 12 Tf ${mode} Tr ${text} Tj ET ${after}`,
        objects,
      }),
      flavour,
    ).join(' ')
  return [failed('1a'), failed('2a'), failed('4')]
}

interface Shown {
  readonly text?: string
  /** The rendering mode, or other operators before it. */
  readonly mode?: number | string
  readonly before?: string
  readonly after?: string
}

interface FontDocument extends Shown {
  readonly objects: Readonly<Record<number, PdfBody>>
}

interface TrueTypeChanges extends Shown {
  readonly font?: Entries
  readonly descriptor?: Entries
  readonly program?: Uint8Array | null
  readonly maps?: readonly (readonly [platform: number, encoding: number])[]
  readonly shift?: number
  readonly names?: readonly string[]
}

/** A has the width 600 and B 700. */
function trueType(changes: TrueTypeChanges): FontDocument {
  const { font, descriptor, program, maps = [[3, 1]], shift = 0, names, ...shown } = changes
  const glyphs = { [shift + 65]: 1, [shift + 66]: 2 }
  const tables: CharacterMap[] = maps.map(([platform, encoding]) => ({
    platform,
    encoding,
    glyphs,
  }))
  const own = program === undefined ? trueTypeProgram(tables, names, [500, 600, 700]) : program
  return {
    text: '(A)',
    ...shown,
    objects: {
      20: dictionary({
        ...simpleFont,
        Subtype: '/TrueType',
        Encoding: '/WinAnsiEncoding',
        ...font,
      }),
      21: dictionary({ ...fontDescriptor, FontFile2: own && '22 0 R', ...descriptor }),
      ...(own && { 22: stream(own) }),
    },
  }
}

interface Type1Changes extends Shown {
  readonly font?: Entries
  readonly program?: readonly [key: string, entries: string, program: Uint8Array]
  readonly list?: string | null
  /** In place of A. */
  readonly glyph?: string
}

function type1({ font, program, list, glyph = 'A', ...shown }: Type1Changes): FontDocument {
  const own = type1Glyphs({ '.notdef': 500, [glyph]: 600, B: 700 })
  const [key, entries, bytes] = program ?? ['FontFile', '', own]
  const listed = list === undefined ? {} : { CharSet: list }
  const name = list === undefined ? {} : { BaseFont: '/ABCDEF+Test' }
  return {
    text: '(A)',
    ...shown,
    objects: {
      20: dictionary({ ...simpleFont, Subtype: '/Type1', ...name, ...font }),
      21: dictionary({ ...fontDescriptor, [key]: '22 0 R', ...listed }),
      22: stream(bytes, entries),
    },
  }
}

interface CompositeChanges extends Shown {
  readonly cidFont?: Entries
  readonly encoding?: PdfBody
  readonly program?: 'keyed' | null
  /** `/CIDSet`, in hexadecimal digits. */
  readonly set?: string | null
  /** A code and its text. */
  readonly toUnicode?: string
}

/** The characters 1 and 2 have the widths 600 and 700; in Compact Font Format they are 5 and 6. */
function composite(changes: CompositeChanges): FontDocument {
  const { cidFont, encoding = '/Identity-H', program, set, toUnicode, ...shown } = changes
  const isKeyed = program === keyed
  const own = isKeyed ? keyedProgram : trueTypeProgram([], [], [500, 600, 700])
  const text = toUnicode ?? `<0000> <0042> <0001> <0041> <0002> <0042> <0005> <0043> <0009> <0044>`
  const bits = set === undefined ? (isKeyed ? '06' : '60') : set
  const programEntry = isKeyed ? { FontFile3: '22 0 R' } : { FontFile2: '22 0 R' }
  return {
    text: isKeyed ? '<0005>' : '<0001>',
    ...shown,
    objects: {
      20: dictionary({
        Type: '/Font',
        Subtype: '/Type0',
        BaseFont: '/ABCDEF+Test',
        Encoding: '24 0 R',
        DescendantFonts: '[23 0 R]',
        ToUnicode: '25 0 R',
      }),
      21: dictionary({
        ...fontDescriptor,
        ...(program === null ? {} : programEntry),
        CIDSet: bits && '26 0 R',
      }),
      ...(program !== null && { 22: stream(own, isKeyed ? '/Subtype /CIDFontType0C' : '') }),
      23: dictionary({
        Type: '/Font',
        Subtype: isKeyed ? '/CIDFontType0' : '/CIDFontType2',
        BaseFont: program === null ? '/Test' : '/ABCDEF+Test',
        CIDSystemInfo: collection('Identity', 0),
        FontDescriptor: '21 0 R',
        W: isKeyed ? '[5 [600 700]]' : '[1 [600 700]]',
        DW: isKeyed ? '0' : '500',
        CIDToGIDMap: isKeyed ? null : '/Identity',
        ...cidFont,
      }),
      24: encoding,
      25: characterMap(`${text.split(' ').length / 2} beginbfchar ${text} endbfchar`),
      ...(bits && { 26: stream(Buffer.from(bits, 'hex')) }),
      30: stream(Buffer.from([0, 0, 0, 0, 0, 1])),
    },
  }
}

const simpleFont: Entries = {
  Type: '/Font',
  BaseFont: '/Test',
  FontDescriptor: '21 0 R',
  FirstChar: '65',
  LastChar: '66',
  Widths: '[600 700]',
}

const fontDescriptor: Entries = {
  Type: '/FontDescriptor',
  FontName: '/Test',
  Flags: '32',
  FontBBox: '[0 0 1000 1000]',
  ItalicAngle: '0',
  Ascent: '800',
  Descent: '-200',
  CapHeight: '700',
  StemV: '80',
}
