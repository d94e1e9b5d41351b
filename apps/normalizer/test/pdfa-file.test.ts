import { describe, expect, test } from 'vitest'
import { type Flavour, flavours } from '../src/pdfa/flavour.ts'
import { stream } from './fixture/build-pdf.ts'
import { editedText } from './fixture/edited-text.ts'
import { failedRules } from './fixture/failed-rules.ts'
import { type PdfaChanges, pdfaDocument } from './fixture/pdfa-document.ts'

test.each(flavours)('a minimal document complies with %s', (flavour) => {
  expect(failedRules(pdfaDocument(flavour), flavour)).toEqual([])
})

/** What fails in 1b, 2b and 4, in this order; null: nothing. */
type Expected = readonly [string | null, string | null, string | null]

describe('the header', () => {
  test.each<[string, string, Expected]>([
    ['of another minor version', '%PDF-1.9\n', [null, '6.1.2 t1', '6.1.2 t1']],
    ['of PDF 2', '%PDF-2.1\n', [null, '6.1.2 t1', null]],
    ['with a space behind the version', '%PDF-1.4 \n', [null, '6.1.2 t1', '6.1.2 t1']],
    ['behind an empty line', '\n%PDF-1.4\n', ['6.1.2 t1', '6.1.2 t1', '6.1.2 t1']],
  ])('%s', (_, header, expected) => {
    expect(rulesByPart({}, (text) => text.replace(/^%PDF-...\n/, header))).toEqual(expected)
  })

  test.each([
    ['missing', ''],
    ['of three bytes', '%\xe2\xe3\xcf\n'],
    ['with a byte of 127', '%\xe2\xe3\xcf\x7f\n'],
    ['behind a space', ' %\xe2\xe3\xcf\xd3\n'],
  ])('is followed by a comment of high bytes; not one that is %s', (_, comment) => {
    const rule = '6.1.2 t2'
    expect(rulesByPart({}, (text) => text.replace('%\xe2\xe3\xcf\xd3\n', comment))).toEqual([
      rule,
      rule,
      rule,
    ])
  })
})

describe('the trailer', () => {
  test.each<[string, string | null, Expected]>([
    ['no ID', null, ['6.1.3 t1', '6.1.3 t1', '6.1.3 t1']],
    ['an ID that is no array', '<00>', ['6.1.3 t1', '6.1.3 t1', '6.1.3 t1']],
    ['an ID of empty strings', '[<> <>]', [null, '6.1.3 t1', '6.1.3 t1']],
    ['an ID of one string', '[<00>]', [null, null, null]],
  ])('with %s', (_, id, expected) => expect(rulesByPart({ trailer: { ID: id } })).toEqual(expected))

  test('that an update appends is the one that counts', () => {
    const update = { objects: { 20: '(new)' } }
    const rule = '6.1.3 t1'
    expect(rulesByPart({ updates: [update] })).toEqual([rule, rule, rule])
    expect(
      rulesByPart({ trailer: { ID: null }, updates: [{ ...update, trailer: '/ID [<00> <00>]' }] }),
    ).toEqual([null, null, null])
  })

  test.each<[string, string, string | null]>([
    ['nothing', '', null],
    ['CR and LF', '\r\n', null],
    ['CR', '\r', null],
    ['two line ends', '\n\n', '6.1.3 t3'],
    ['a space', ' ', '6.1.3 t3'],
    ['a comment', '\n% the end\n', '6.1.3 t3'],
  ])('ends with %%EOF and %s', (_, after, rule) => {
    expect(rulesByPart({}, (text) => text.replace(/\n$/, after))).toEqual([rule, rule, rule])
  })

  test('of part 4 has Info only beside PieceInfo', () => {
    const objects = { 20: '<< /ModDate (D:20261121) >>' }
    const trailer = { Info: '20 0 R' }
    expect(rulesOf('4', { trailer, objects })).toEqual(['6.1.3 t4'])
    expect(rulesOf('4', { trailer, objects, catalog: { PieceInfo: '<< >>' } })).toEqual([])
  })

  test('is judged in its spelling', () => {
    expect(rulesByPart({ trailer: { ID: '[<000> <00>]' } })).toEqual([
      '6.1.6 t1',
      '6.1.6 t1',
      '6.1.5 t1',
    ])
  })
})

describe('a cross-reference table', () => {
  const unsound: Expected = ['6.1.4 t4', '6.1.4 t4', '6.1.4 t4']

  test('stands where startxref says', () => {
    const elsewhere = (text: string): string => text.replace(/startxref\n\d+/, 'startxref\n7')
    expect(rulesByPart({}, elsewhere)).toEqual(unsound)
  })

  test('that breaks off leaves the file its identifier', () => {
    const breakOff = (text: string): string =>
      text.replace(/ 00000 n (?=\n\d{10} 00000 n \n)/, ' 00000 %x')
    expect(rulesByPart({}, breakOff)).toEqual(unsound)
  })

  test.each([
    ['a space', 'xref '],
    ['a space before the line end', 'xref \n'],
    ['two line ends', 'xref\n\n'],
    ['a space on the next line', 'xref\n '],
  ])('with %s behind xref', (_, keyword) => {
    expect(rulesByPart({}, (text) => text.replace('\nxref\n', () => `\n${keyword}`))).toEqual([
      '6.1.4 t2',
      '6.1.4 t2',
      '6.1.4 t1',
    ])
  })

  test.each([
    ['the first', '\n0 7\n', '\n0  7\n'],
    ['a later', '\n20 1\n', '\n20\t1\n'],
  ])('whose numbers stand apart in %s subsection', (_, head, spaced) => {
    const objects = { 20: '(x)' }
    expect(rulesByPart({ objects }, (text) => text.replace(head, spaced))).toEqual([
      '6.1.4 t1',
      null,
      null,
    ])
  })

  test('of an earlier revision counts, too', () => {
    const updates = [{ objects: { 20: '(x)' }, trailer: '/ID [<00> <00>]' }]
    expect(rulesByPart({ updates }, (text) => text.replace('\n0 7\n', '\n0  7\n'))).toEqual([
      '6.1.4 t1',
      null,
      null,
    ])
  })

  test('that is a stream is not for part 1', () => {
    expect(rulesByPart({ crossReference: 'stream' })).toEqual(['6.1.4 t3', null, null])
    expect(
      rulesByPart({ crossReference: 'hybrid', compressed: [20], objects: { 20: '(x)' } }),
    ).toEqual(['6.1.4 t3', null, null])
  })
})

describe('an indirect object', () => {
  const plain = '20 0 obj\n(x)\nendobj\n'
  const spacing: Expected = ['6.1.8 t1', '6.1.9 t1', '6.1.8 t1']

  test.each([
    ['two spaces behind its number', '20  0 obj\n(x)\nendobj\n'],
    ['two spaces behind its generation', '20 0  obj\n(x)\nendobj\n'],
    ['obj on the line of its value', '20 0 obj (x)\nendobj\n'],
    ['a space behind obj', '20 0 obj \n(x)\nendobj\n'],
    ['endobj on the line of its value', '20 0 obj\n(x) endobj\n'],
    ['a space before endobj', '20 0 obj\n(x)\n endobj\n'],
    ['a space behind endobj', '20 0 obj\n(x)\nendobj \n'],
    ['something else where endobj belongs', '20 0 obj\n(x) ]\nendobj\n'],
    ['a misspelt endobj', '20 0 obj\n(x)\nen)obj\n'],
    ['a space before its number', ' 20 0 obj\n(x)\nendobj\n'],
  ])('with %s', (_, spelled) => {
    expect(rulesByPart({ objects: { 20: '(x)' } }, (text) => text.replace(plain, spelled))).toEqual(
      spacing,
    )
  })

  test('with an entry that leads into its number', () => {
    const lastEntry = /(\d{10})(?= 00000 n\s+trailer)/
    const shifted = (text: string): string =>
      text.replace(lastEntry, (offset) => String(Number(offset) + 1).padStart(10, '0'))
    expect(rulesByPart({ objects: { 20: '(x)' } }, shifted)).toEqual([
      '6.1.4 t4, 6.1.8 t1',
      '6.1.4 t4, 6.1.9 t1',
      '6.1.4 t4, 6.1.8 t1',
    ])
  })

  test.each([
    ['tabs between its numbers', '20\t0\tobj\n(x)\nendobj\n'],
    ['a comment before endobj', '20 0 obj\n(x)\n% x\nendobj\n'],
    ['other line ends', '20 0 obj\r\n(x)\r\nendobj\r\n'],
    ['a space behind its value', '20 0 obj\n(x) \nendobj\n'],
    ['no endobj', '20 0 obj\n(x)\n'],
  ])('may have %s', (_, spelled) => {
    expect(rulesByPart({ objects: { 20: '(x)' } }, (text) => text.replace(plain, spelled))).toEqual(
      [null, null, null],
    )
  })
})

describe('a stream', () => {
  const plain = '\nstream\nabc\nendstream\n'
  const length: Expected = ['6.1.7 t1', '6.1.7.1 t1', '6.1.6.1 t1']
  const keywords: Expected = ['6.1.7 t2', '6.1.7.1 t2', null]

  test.each<[string, string, Expected]>([
    ['CR alone behind stream', '\nstream\rabc\nendstream\n', keywords],
    ['no line end before endstream', '\nstream\nabcendstream\n', keywords],
    ['a line end too many before endstream', '\nstream\nabc\n\nendstream\n', length],
    ['a line end too many behind stream', '\nstream\n\nabc\nendstream\n', length],
    ['other line ends', '\nstream\r\nabc\r\nendstream\n', [null, null, null]],
    ['data that ends with a line end', '\nstream\nab\r\nendstream\n', [null, null, null]],
    ['one line end for data and endstream', '\nstream\nab\nendstream\n', length],
  ])('with %s', (_, spelled, expected) => {
    expect(
      rulesByPart({ objects: { 20: stream('abc') } }, (text) => text.replace(plain, spelled)),
    ).toEqual(expected)
  })

  test.each([
    ['too short', 2],
    ['too long', 4],
    ['beyond the file', 99_999],
    ['no number', '(3)'],
    ['nowhere', '99 0 R'],
  ])('whose length is %s', (_, declared) => {
    expect(rulesByPart({ objects: { 20: { ...stream('abc'), length: declared } } })).toEqual(length)
  })

  test('whose length is a reference complies', () => {
    const objects = { 20: { ...stream('abc'), length: '21 0 R' }, 21: '3' }
    expect(rulesByPart({ objects })).toEqual([null, null, null])
  })

  test.each(['/F (x)', '/FFilter /FlateDecode', '/FDecodeParms << >>'])(
    'keeps its data in the file; not with %s',
    (entry) => {
      expect(rulesByPart({ objects: { 20: stream('abc', entry) } })).toEqual([
        '6.1.7 t3',
        '6.1.7.1 t3',
        '6.1.6.1 t2',
      ])
    },
  )

  const filter = { lzw: '6.1.10 t1', known: '6.1.7.2 t1', knownIn4: '6.1.6.2 t1' }
  test.each<[string, Expected]>([
    ['/Filter /LZWDecode', [filter.lzw, filter.known, filter.knownIn4]],
    ['/Filter [/ASCIIHexDecode 21 0 R]', [filter.lzw, filter.known, filter.knownIn4]],
    ['/Filter /Fl', [null, filter.known, filter.knownIn4]],
    ['/Filter /JBIG2Decode', [null, null, null]],
    ['/Filter /Crypt /DecodeParms << /Name /Other >>', [null, filter.known, filter.knownIn4]],
    ['/Filter [/Crypt] /DecodeParms [<< /Name /Identity >>]', [null, null, null]],
  ])('with %s', (entries, expected) => {
    expect(rulesByPart({ objects: { 20: stream('', entries), 21: '/LZWDecode' } })).toEqual(
      expected,
    )
  })
})

describe('the spelling and size of', () => {
  const odd: Expected = ['6.1.6 t1', '6.1.6 t1', '6.1.5 t1']
  const foreign: Expected = ['6.1.6 t2', '6.1.6 t2', '6.1.5 t2']
  const nothing: Expected = [null, null, null]

  const objects: [string, string, Expected][] = [
    ['a hexadecimal string of three digits', '[<abc>]', odd],
    ['a hexadecimal string of another letter', '<< /A [<abxy>] >>', foreign],
    ['a hexadecimal string with white space', '<a b\nc d>', nothing],
    ['an integer of 33 bits', '[2147483648]', ['6.1.12 t1', '6.1.13 t1', null]],
    ['the least integer', '-2147483648', nothing],
    ['an integer below', '-2147483649', ['6.1.12 t1', '6.1.13 t1', null]],
    ['a real number beyond 32767', '40000.0', ['6.1.12 t2', null, null]],
    ['a real number of 40 digits', `1${'0'.repeat(39)}.0`, ['6.1.12 t2', '6.1.13 t2', null]],
    ['a real number of 400 digits', `1${'0'.repeat(399)}.0`, ['6.1.12 t2', '6.1.13 t2', null]],
    ['a real number next to 0', `0.${'0'.repeat(38)}1`, [null, '6.1.13 t5', null]],
    ['a name of 127 bytes', `/${'#61'.repeat(127)}`, nothing],
    ['a name of 128 bytes', `/${'a'.repeat(128)}`, ['6.1.12 t4', '6.1.13 t4', null]],
    ['a key of 128 bytes', `<< /${'a'.repeat(128)} 1 >>`, ['6.1.12 t4', '6.1.13 t4', null]],
    ['a string of 32767 bytes', `(${'a'.repeat(32_767)})`, nothing],
    ['a string of 32768 bytes', `(${'a'.repeat(32_768)})`, [null, '6.1.13 t3', null]],
    ['a string of 65536 bytes', `(${'\\141'.repeat(65_536)})`, ['6.1.12 t3', '6.1.13 t3', null]],
    ['an array of 8191 elements', `[${'1 '.repeat(8191)}]`, nothing],
    ['an array of 8192 elements', `[[${'1 '.repeat(8192)}]]`, ['6.1.12 t5', null, null]],
    ['a dictionary of 4096 entries', dictionaryOf(4096), ['6.1.12 t6', null, null]],
    ['a dictionary of 4095 entries and a null', dictionaryOf(4095, '/N null'), nothing],
  ]
  test.each(objects)('%s', (_, body, expected) => {
    expect(rulesByPart({ objects: { 20: body } })).toEqual(expected)
  })

  test('objects in an object stream', () => {
    const compressed = { crossReference: 'stream', compressed: [20] } as const
    expect(rulesOf('2b', { ...compressed, objects: { 20: '[<abc>]' } })).toEqual(['6.1.6 t1'])
    expect(rulesOf('4', { ...compressed, objects: { 20: '[2147483648]' } })).toEqual([])
  })

  test.each(objects.filter(([, body]) => !body.startsWith('<<')))(
    'an operand: %s',
    (_, body, expected) => {
      expect(rulesByPart({ content: `/Mark << /A ${body} >> DP` })).toEqual(expected)
    },
  )

  test('objects that an update replaced no longer count', () => {
    const updates = [{ objects: { 20: '(x)' }, trailer: '/ID [<00> <00>]' }]
    expect(rulesByPart({ objects: { 20: '<abc>' }, updates })).toEqual(nothing)
  })
})

describe('the catalog', () => {
  test.each<[Flavour, Record<string, string>, string[]]>([
    ['1b', { OCProperties: '<< >>' }, ['6.1.13 t1']],
    ['1b', { Names: '<< /EmbeddedFiles << >> >>' }, ['6.1.11 t2']],
    ['4f', { Names: '<< >>' }, ['6.9 t5']],
    ['2b', { NeedsRendering: 'true' }, ['6.4.2 t2']],
    ['4', { NeedsRendering: 'true' }, ['6.4.2 t2']],
    ['3u', { NeedsRendering: 'false' }, []],
    ['2b', { Requirements: '[<< /S /EnableJavaScripts >>]' }, ['6.11 t1']],
    ['4', { Requirements: '[<< /S /EnableJavaScripts >>]' }, ['6.12 t1']],
    ['1a', { MarkInfo: '<< /Marked false >>' }, ['6.8.2.2 t1']],
    ['2a', { MarkInfo: '<< >>' }, ['6.7.2.2 t1']],
    ['4', { Version: '/1.7' }, ['6.1.12 t1']],
    ['4', { Version: '/2.0' }, []],
  ])('of %s with %j', (flavour, catalog, expected) => {
    expect(rulesOf(flavour, { catalog })).toEqual(expected)
  })
})

/** What fails under 1b, 2b and 4. */
function rulesByPart(
  changes: PdfaChanges,
  edit: ((text: string) => string) | null = null,
): (string | null)[] {
  return judged.map((flavour) => rulesOf(flavour, changes, edit).join(', ') || null)
}

const judged = ['1b', '2b', '4'] as const

function rulesOf(
  flavour: Flavour,
  changes: PdfaChanges,
  edit: ((text: string) => string) | null = null,
): string[] {
  const bytes = pdfaDocument(flavour, changes)
  return failedRules(edit === null ? bytes : editedText(bytes, edit), flavour)
}

/** With this many entries. */
function dictionaryOf(entries: number, more = ''): string {
  const all = Array.from({ length: entries }, (_, index) => `/K${index} 1`)
  return `<< ${all.join(' ')} ${more} >>`
}
