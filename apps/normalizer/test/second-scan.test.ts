import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { scanOutput } from '../src/active-content/second-scan.ts'
import { pdfInObjectStream, pdfText, streamText } from './fixture/pdf-text.ts'

const pages = {
  2: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  3: '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] >>',
}

const catalogWith = (entries: string): Record<number, string> => ({
  1: `<< /Type /Catalog /Pages 2 0 R ${entries} >>`,
  ...pages,
})

describe('the second scan finds what a writer must not have left', () => {
  test.each([
    ['a script', '/X << /S /JavaScript /JS (app.alert\\(1\\)) >>', 'key /JS', 'action /JavaScript'],
    [
      'an escaped script',
      '/X << /#53 /J#61vaScript /#4aS 9 0 R >>',
      'key /JS',
      'action /JavaScript',
    ],
    ['a trigger', '/AA << /WC << /S /GoTo /D (x) >> >>', 'key /AA'],
    ['a program start', '/X [[<< /S /Launch /F (calc.exe) >>]]', 'action /Launch'],
    ['embedded files', '/Names << /EmbeddedFiles << /Names [] >> >>', 'key /EmbeddedFiles'],
    ['a file specification', '/X << /Type /Filespec /EF << /F 9 0 R >> >>', 'key /EF'],
    ['rich media', '/X << /Subtype /RichMedia /Rect [0 0 1 1] >>', 'annotation /RichMedia'],
    ['a form', '/AcroForm << /Fields [] >>', 'key /AcroForm'],
    ['a widget', '/X [<< /Subtype /Widget >>]', 'annotation /Widget'],
    ['a hidden address', '/X << /S /URI /URI <6A617661736372697074 3A31> >>', 'action /URI'],
    ['a comment before it', '/X %)\n << /S /Launch >>', 'action /Launch'],
    ['an open action', '/OpenAction << /S /Named /N /NextPage >>', 'key /OpenAction'],
  ])('%s', (_, entries, ...what) => {
    for (const file of [pdfText(catalogWith(entries)), pdfInObjectStream(catalogWith(entries))]) {
      expect(
        scanOutput(file)
          .map((hit) => hit.what)
          .sort(),
      ).toEqual(what.sort())
      expect(scanOutput(file).map(({ object }) => object)).toEqual(what.map(() => 1))
    }
  })

  test('a type that stands in an object of its own', () => {
    const file = pdfText({ ...catalogWith('/X << /S 9 0 R /Win << >> >>'), 9: '/Launch' })
    expect(scanOutput(file)).toEqual([{ kind: 'launch', what: 'action /Launch', object: 1 }])
  })

  test('an address that stands in an object of its own', () => {
    const file = pdfText({ ...catalogWith('/X << /S /URI /URI 9 0 R >>'), 9: '(javascript:1)' })
    expect(scanOutput(file)).toEqual([{ kind: 'javascript', what: 'action /URI', object: 1 }])
  })

  test.each([
    ['an action', '/S /Launch /F 10 0 R', '', 'action /Launch'],
    ['an annotation', '/Subtype /Movie', '', 'annotation /Movie'],
    ['a widget', '/Subtype /Widget', '', 'annotation /Widget'],
  ])('%s in the dictionary of a stream', (_, entries, catalog, what) => {
    const file = pdfText({ ...catalogWith(catalog), 9: streamText(entries, '') })
    expect(scanOutput(file).map((hit) => [hit.what, hit.object])).toEqual([[what, 9]])
  })

  test.each([
    ['a trigger', '/AA 9 0 R', '/O << >>', ['key /AA']],
    ['a form', '/AcroForm 9 0 R', '/Fields []', ['key /AcroForm']],
    ['an open action', '/OpenAction 9 0 R', '/S /Named /N /NextPage', ['key /OpenAction']],
    ['an open action that stays inside', '/OpenAction 9 0 R', '/S /GoTo /D (x)', []],
  ])('a key that leads to a stream as to its dictionary: %s', (_, catalog, entries, what) => {
    const file = pdfText({ ...catalogWith(catalog), 9: streamText(entries, '') })
    expect(scanOutput(file).map((hit) => hit.what)).toEqual(what)
  })

  test('an object that nothing refers to', () => {
    const file = pdfText({ ...catalogWith(''), 9: '<< /S /ImportData /F (x) >>' })
    expect(scanOutput(file)).toEqual([{ kind: 'launch', what: 'action /ImportData', object: 9 }])
  })

  test('a script in a compressed object stream, and a stream that does not decode', () => {
    const content = '9 0 << /S /JavaScript >>'
    const packed = deflateSync(content).toString('latin1')
    const objectStream = (data: string): string =>
      streamText('/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode', data)
    expect(scanOutput(pdfText({ ...catalogWith(''), 8: objectStream(packed) }))).toEqual([
      { kind: 'javascript', what: 'action /JavaScript', object: 9 },
    ])
    expect(scanOutput(pdfText({ ...catalogWith(''), 8: objectStream('no deflate') }))).toEqual([
      { kind: 'other', what: 'object stream that cannot be read', object: 8 },
    ])
  })

  test('a property list in content', () => {
    const file = pdfText({
      ...catalogWith(''),
      9: streamText(
        '/Filter /ASCIIHexDecode',
        `${Buffer.from('/X << /JS (1) >> BDC').toString('hex')}>`,
      ),
    })
    expect(scanOutput(file)).toEqual([{ kind: 'javascript', what: 'key /JS', object: 9 }])
  })
})

test.each([
  ['as usual', 1],
  ['with codes that grow late', 0],
])('the second scan reads content that is LZW encoded %s', (_, early) => {
  // Long enough for codes of all widths and for a table that is cleared.
  const words = Array.from({ length: 9000 }, (__, index) => `${(index * 7919) % 9973} w `).join('')
  const file = pdfText({
    ...catalogWith(''),
    9: streamText(
      `/Filter [/LZWDecode] /DecodeParms [<< /EarlyChange ${early} >>]`,
      lzwEncoded(`${words}/X << /JS (1) >> BDC`, early),
    ),
  })
  expect(scanOutput(file)).toEqual([{ kind: 'javascript', what: 'key /JS', object: 9 }])
})

/** ISO 32000-2, 7.4.4.2, from the encoder's side. */
function lzwEncoded(text: string, early: number): string {
  let table = new Map<string, number>()
  let bits = ''
  const emit = (code: number): void => {
    const next = 257 + table.size + early
    const width = next >= 2048 ? 12 : next >= 1024 ? 11 : next >= 512 ? 10 : 9
    bits += code.toString(2).padStart(width, '0')
  }
  const codeOf = (sequence: string): number =>
    sequence.length === 1 ? sequence.charCodeAt(0) : (table.get(sequence) ?? 0)
  emit(256)
  let sequence = ''
  for (const char of text) {
    if (sequence === '' || table.has(sequence + char)) {
      sequence += char
      continue
    }
    emit(codeOf(sequence))
    table.set(sequence + char, 258 + table.size)
    if (table.size === 3800) {
      emit(256)
      table = new Map()
    }
    sequence = char
  }
  emit(codeOf(sequence))
  emit(257)
  const bytes = bits.match(/.{1,8}/g) ?? []
  return bytes.map((byte) => String.fromCharCode(Number.parseInt(byte.padEnd(8, '0'), 2))).join('')
}

const script = '/X << /JS (1) >> BDC '
const packed = (data: Uint8Array | string): string => deflateSync(data).toString('latin1')
const scriptFound = [{ kind: 'javascript', what: 'key /JS', object: 9 }]

describe('the second scan reads content', () => {
  test.each([
    ['PNG predictor 10, no filter in the rows', pngRows(0), 12, '/Colors 1'],
    ['PNG predictor 11, rows by the left', pngRows(1), 11, '/Colors 3'],
    ['PNG predictor 12, rows by the one above', pngRows(2), 12, '/Colors 1'],
    ['PNG predictor 13, rows by the average', pngRows(3), 13, '/Colors 2'],
    ['PNG predictor 14, rows by Paeth', pngRows(4), 15, '/Colors 4'],
    ['TIFF predictor, bytes', tiffRows(8), 2, '/Colors 3'],
    ['TIFF predictor, words', tiffRows(16), 2, '/Colors 2 /BitsPerComponent 16'],
    ['TIFF predictor, half bytes', tiffRows(4), 2, '/Colors 1 /BitsPerComponent 4'],
  ])('under %s', (_, encode, predictor, more) => {
    const colors = Number(/Colors (\d)/.exec(more)?.[1])
    const bits = Number(/Component (\d+)/.exec(more)?.[1] ?? 8)
    const columns = 96 / ((colors * bits) / 8)
    const data = packed(encode(Buffer.from(script.repeat(40)), 96, colors))
    const parameters = `<< /Predictor ${predictor} /Columns ${columns} ${more} >>`
    const file = pdfText({
      ...catalogWith(''),
      9: streamText(`/Filter /FlateDecode /DecodeParms ${parameters}`, data),
    })
    expect(scanOutput(file)[0]).toEqual(scriptFound[0])
  })

  test('whose filter and parameters stand in objects of their own, after it', () => {
    const rows = pngRows(2)(Buffer.from(script.repeat(40)), 96, 1)
    const file = pdfText({
      ...catalogWith(''),
      9: streamText('/Filter 10 0 R /DecodeParms 11 0 R', packed(rows)),
      10: '[/FlateDecode]',
      11: '[<< /Predictor 12 0 R /Columns 13 0 R >>]',
      12: '15',
      13: '96',
    })
    expect(scanOutput(file)[0]).toEqual(scriptFound[0])
  })

  test('that an identity filter leaves as it is', () => {
    const file = pdfText({
      ...catalogWith(''),
      9: streamText('/Filter [/Crypt /FlateDecode]', packed(script)),
    })
    expect(scanOutput(file)).toEqual(scriptFound)
  })

  test.each([
    ['in its checksum', (data: string) => `${data.slice(0, -4)}\0\0\0\0`],
    ['in its header', (data: string) => `\0\0${data.slice(2)}`],
    ['at its end', (data: string) => data.slice(0, -200)],
    ['in the middle', (data: string) => `${data.slice(0, 6000)}${'\xff'.repeat(400)}`],
  ])('that is damaged %s, as far as it goes', (_, damage) => {
    const noise = Array.from({ length: 4000 }, (__, index) => (index * 7919) % 9973).join(' ')
    const file = pdfText({
      ...catalogWith(''),
      9: streamText('/Filter /FlateDecode', damage(packed(`${script}${noise}`))),
    })
    expect(scanOutput(file)).toEqual(scriptFound)
  })
})

test.each([
  ['Flate', '/FlateDecode', deflateSync(Buffer.alloc(101 * 1024 * 1024))],
  ['runs', '/RunLengthDecode', Buffer.from([129, 0]).toString('latin1').repeat(850_000)],
  ['base 85', '/ASCII85Decode', 'z'.repeat(27 * 1024 * 1024)],
  [
    'Flate in Flate',
    '[/FlateDecode /FlateDecode]',
    deflateSync(deflateSync(Buffer.alloc(101 * 1024 * 1024))),
  ],
])('the second scan does not look into a stream without end: %s', (_, filter, data) => {
  const file = pdfText({
    ...catalogWith(''),
    9: streamText(`/Filter ${filter}`, Buffer.from(data as string, 'latin1').toString('latin1')),
  })
  expect(() => scanOutput(file)).toThrow('expand to more than can be looked into')
})

type EncodeRows = (data: Buffer, rowBytes: number, colors: number) => Buffer

/** ISO/IEC 15948, 9.2, from the encoder's side, for 8 bits a component. */
function pngRows(filter: number): EncodeRows {
  return (data, rowBytes, colors) => {
    const rows: Buffer[] = []
    for (let start = 0; start < data.length; start += rowBytes) {
      const at = (row: number, column: number): number =>
        row < 0 || column < 0 ? 0 : (data[row + column] ?? 0)
      const predicted = (column: number): number => {
        const left = at(start, column - colors)
        const up = at(start - rowBytes, column)
        const corner = at(start - rowBytes, column - colors)
        const paeth = [left, up, corner].toSorted(
          (one, other) => Math.abs(left + up - corner - one) - Math.abs(left + up - corner - other),
        )[0]
        return [0, left, up, (left + up) >> 1, paeth ?? 0][filter] ?? 0
      }
      const row = data.subarray(start, start + rowBytes)
      rows.push(Buffer.from([filter, ...row.map((byte, column) => byte - predicted(column))]))
    }
    return Buffer.concat(rows)
  }
}

/** TIFF 6.0, section 14, from the encoder's side. */
function tiffRows(bits: number): EncodeRows {
  return (data, rowBytes, colors) => {
    const step = (colors * bits) / 8
    const out = Buffer.from(data)
    for (let at = 0; at < data.length; at += bits === 16 ? 2 : 1) {
      const isFirst = at % rowBytes < step
      if (bits === 4) {
        const before = at % rowBytes === 0 ? 0 : (data[at - 1] ?? 0) & 15
        const byte = data[at] ?? 0
        out[at] = ((((byte >> 4) - before) & 15) << 4) | ((byte - (byte >> 4)) & 15)
      } else if (isFirst) continue
      else if (bits === 8) out[at] = (data[at] ?? 0) - (data[at - step] ?? 0)
      else if (at + 1 < data.length) {
        out.writeUInt16BE((data.readUInt16BE(at) - data.readUInt16BE(at - step)) & 0xffff, at)
      }
    }
    return out
  }
}

describe('the second scan does not mistake', () => {
  test.each([
    [
      'text that speaks of PDF',
      { 9: streamText('', '(<< /S /JavaScript /JS >>) Tj << /MCID 0 >> BDC') },
    ],
    ['strings that do', { 9: '<< /Title (/JS << /S /Launch >>) /Alt <2F4A53> >>' }],
    [
      'streams that only look like it',
      { 9: streamText('', 'endobj 8 0 obj << /S /Launch /X << /JS (1) >> >> endobj') },
    ],
    ['fonts by such names', { 9: '<< /Font << /AA 8 0 R /JS 8 0 R >> >>', 8: '<< /Type /Font >>' }],
    [
      'fonts by such names in an object of their own',
      { 9: '<< /Font 7 0 R >>', 7: '<< /AA 8 0 R >>', 8: '<< /Type /Font >>' },
    ],
    ['an element called like an action', { 9: '<< /S /Sound /P 1 0 R /K [0] >>' }],
    ['usage rights', { 9: '<< /Type /TransformParams /EF [/Create] >>' }],
    ['references between elements', { 9: '<< /S /P /P 1 0 R /K 0 /Ref [8 0 R] >>' }],
    ['links to the web', { 9: '<< /S /URI /URI (https://example.org/?q=javascript:1) >>' }],
    [
      'a destination to open with',
      {
        1: '<< /Type /Catalog /Pages 2 0 R /OpenAction 9 0 R >>',
        9: '<< /S /GoTo /D [3 0 R /Fit] >>',
      },
    ],
    ['nesting without end', { 9: '<<'.repeat(100_000) }],
  ])('%s', (_, bodies) => {
    expect(scanOutput(pdfText({ ...catalogWith(''), ...bodies }))).toEqual([])
  })
})
