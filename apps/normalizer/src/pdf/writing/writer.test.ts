import { createHash } from 'node:crypto'
import { deflateSync, inflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import {
  dictionary,
  MemoryGraph,
  name,
  reference,
  stream,
  text,
} from '../../../test/memory-graph.ts'
import { addOutlines, pageDocument, pagesOf } from '../../../test/page-document.ts'
import { hasQpdf, qpdf, withoutQpdf } from '../../../test/qpdf.ts'
import { PdfDictionary, type PdfObject, PdfStream } from '../object.ts'
import type { ObjectGraph } from '../object-graph.ts'
import { readPdf } from '../reading/read-pdf.ts'
import { writePdf, type WriteOptions } from './writer.ts'

const formats: Record<string, WriteOptions> = {
  'object streams': { linearize: false, objectStreams: true, version: '1.7' },
  'a classical table': { linearize: false, objectStreams: false, version: '1.4' },
  'object streams, linearized': { linearize: true, objectStreams: true, version: '1.7' },
  'classical tables, linearized': { linearize: true, objectStreams: false, version: '1.4' },
}
const plain: WriteOptions = { linearize: false, objectStreams: false, version: '1.4' }

describe.each(Object.entries(formats))('With %s', (_, options) => {
  test('an output that is read and written again keeps every byte', () => {
    const output = writePdf(richDocument(), options)
    expect(writePdf(readPdf(output).graph, options)).toEqual(output)
  })

  test('object numbers, key order and hidden leftovers of the input do not show', () => {
    const output = writePdf(richDocument(), options)
    expect(writePdf(shuffled(richDocument()), options)).toEqual(output)
  })

  test('both identifiers are the hash of the file with their digits zeroed', () => {
    const output = latin1(writePdf(richDocument(), options))
    const identifiers = output.match(/\/ID\[<[0-9a-f]{32}><[0-9a-f]{32}>\]/g) ?? []
    expect(identifiers).toHaveLength(options.linearize ? 2 : 1)

    const zeroed = output.replace(/(?<=\/ID\[<)[0-9a-f]{32}><[0-9a-f]{32}/g, `${zeros}><${zeros}`)
    const hash = createHash('sha256').update(zeroed, 'latin1').digest('hex').slice(0, 32)
    for (const identifier of identifiers) expect(identifier).toBe(`/ID[<${hash}><${hash}>]`)
  })

  test('the pages come out in order with their contents', () => {
    const { graph } = readPdf(writePdf(pageDocument(12), options))
    const contents = pagesOf(graph).map((page) => streamText(graph, page.get('Contents')))
    expect(contents).toHaveLength(12)
    for (const [index, content] of contents.entries()) {
      expect(content).toContain(`(page ${index + 1})`)
    }
  })

  test.runIf(hasQpdf)(`qpdf finds no fault${withoutQpdf}`, () => {
    const { code, says } = qpdf(writePdf(richDocument(), options), '--check')
    expect(says).toContain(options.linearize ? 'File is linearized' : 'File is not linearized')
    expect(says).toContain('No syntax or stream encoding errors found')
    expect(code).toBe(0)
  })
})

test('the file begins and ends as ISO 32000 and PDF/A want it', () => {
  const output = latin1(writePdf(pageDocument(1), { ...plain, version: '1.6' }))
  expect(output.startsWith('%PDF-1.6\n%\xe2\xe3\xcf\xd3\n1 0 obj\n')).toBe(true)
  expect(output).toMatch(/\nstartxref\n\d+\n%%EOF\n$/)
})

test('objects are numbered from the catalog on, without gaps, spaced as PDF/A wants them', () => {
  const output = latin1(writePdf(pageDocument(3), plain))
  const objects = [...output.matchAll(/(?<=\n)(\d+) 0 obj\n/g)].map(([, number]) => Number(number))
  expect(objects).toEqual(Array.from({ length: objects.length }, (_, index) => index + 1))
  expect(output).toMatch(/\n1 0 obj\n<<[^\n]*\/Type\/Catalog>>\nendobj\n/)
  expect(output.match(/\nendobj\n/g)).toHaveLength(objects.length)
  expect(output.match(/\nstream\n/g)).toHaveLength(3)
  expect(output.match(/\nendstream\nendobj\n/g)).toHaveLength(3)
})

test('every entry of the table points at its object', () => {
  const output = latin1(writePdf(pageDocument(3), plain))
  const table = output.slice(Number(/startxref\n(\d+)/.exec(output)?.[1]))
  const entries = [...table.matchAll(/(\d{10}) (\d{5}) ([fn]) \n/g)]
  expect(table.startsWith(`xref\n0 ${entries.length}\n0000000000 65535 f \n`)).toBe(true)
  for (const [index, [, offset]] of entries.slice(1).entries()) {
    expect(output.slice(Number(offset))).toMatch(new RegExp(`^${index + 1} 0 obj\n`))
  }
})

test('what cannot be reached from catalog and Info is gone', () => {
  const document = pageDocument(1, ({ graph }) => {
    graph.add(stream({}, 'CANARY'))
    graph.add(dictionary({ Text: text('CANARY'), Self: reference(1) }))
    graph.trailer.set('Other', graph.add(text('CANARY')))
  })
  expect(latin1(writePdf(document, plain))).not.toContain('CANARY')
  expect(latin1(writePdf(document, plain))).toContain('(Pages)')
})

test('a page outside the page tree is gone, and what refers to it refers to nothing', () => {
  const document = pageDocument(2, ({ graph, catalog, pages }) => {
    const stray = graph.add(
      dictionary({ Type: name('Page'), Contents: graph.add(stream({}, 'STRAY')) }),
    )
    catalog.set('OpenAction', [stray, name('Fit')])
    const direct = dictionary({ Type: name('Page'), Contents: graph.add(stream({}, 'STRAY')) })
    pages[0]?.set('PieceInfo', dictionary({ Stray: direct, Other: [direct] }))
  })
  const output = latin1(writePdf(document, plain))
  expect(output).toContain('/OpenAction[null/Fit]')
  expect(output).toContain('/PieceInfo<</Other[null]>>')
  expect(output).not.toContain('STRAY')
})

test('references to missing objects, to null and in circles become null', () => {
  const document = pageDocument(1, ({ graph, pages }) => {
    const circle = graph.add(null)
    graph.set(circle.number, circle)
    const chain = graph.add(graph.add(graph.add(text('at the end'))))
    pages[0]?.set('LastModified', reference(9_999))
    pages[0]?.set('PieceInfo', graph.add(null))
    pages[0]?.set('Group', [reference(9_999), circle, chain])
  })
  const { graph } = readPdf(writePdf(document, plain))
  const [page] = pagesOf(graph)
  expect(page?.has('LastModified')).toBe(false)
  expect(page?.has('PieceInfo')).toBe(false)
  const group = page?.get('Group') as PdfObject[]
  expect(group.slice(0, 2)).toEqual([null, null])
  expect(graph.resolve(group[2])).toEqual(text('at the end'))
})

test('object and cross-reference streams of the old file are no part of the document', () => {
  const document = pageDocument(1, ({ graph, catalog }) => {
    const old = stream({ Type: name('ObjStm'), N: 1, First: 4 }, '7 0 (CANARY)')
    catalog.set('Old', [graph.add(old), graph.add(stream({ Type: name('XRef') }, 'CANARY'))])
  })
  const output = latin1(writePdf(document, plain))
  expect(output).toContain('/Old[null null]')
  expect(output).not.toContain('CANARY')
})

describe('The page tree', () => {
  test('inherited attributes stand on the pages afterwards', () => {
    const document = pageDocument(2, ({ tree, pages }) => {
      for (const page of pages) page.delete('MediaBox')
      for (const page of pages) page.delete('Resources')
      tree.set('MediaBox', [0, 0, 100, 200])
      tree.set('Rotate', 90)
      tree.set('Resources', dictionary({ ProcSet: [name('PDF')] }))
      pages[1]?.set('Rotate', 0)
    })
    const { graph } = readPdf(writePdf(document, plain))
    const [first, second] = pagesOf(graph)
    expect([first?.get('MediaBox'), first?.get('Rotate')]).toEqual([[0, 0, 100, 200], 90])
    expect([second?.get('MediaBox'), second?.get('Rotate')]).toEqual([[0, 0, 100, 200], 0])
    expect(first?.get('Resources')).toEqual(second?.get('Resources'))
    const tree = graph.resolve(first?.get('Parent'))
    expect(tree instanceof PdfDictionary && [...tree.keys()]).toEqual(['Count', 'Kids', 'Type'])
  })

  test('a page that is named twice, stands in the tree itself, or lacks its type is a page of its own', () => {
    const document = pageDocument(1, ({ tree, pages, references }) => {
      pages[0]?.delete('Type')
      const direct = dictionary({ MediaBox: [0, 0, 50, 50] })
      tree.set('Kids', [...references, ...references, direct, null, 7, reference(9_999)])
    })
    const { graph } = readPdf(writePdf(document, plain))
    const pages = pagesOf(graph)
    expect(pages.map((page) => page.get('Type'))).toEqual(Array(3).fill(name('Page')))
    const tree = graph.resolve(pages[0]?.get('Parent'))
    expect(tree instanceof PdfDictionary && tree.get('Count')).toBe(3)
  })

  test('nodes that lead back to themselves end', () => {
    const document = pageDocument(2, ({ catalog, tree, references }) => {
      const root = catalog.get('Pages') as PdfObject
      tree.set('Kids', [...references, root])
    })
    expect(pagesOf(readPdf(writePdf(document, plain)).graph)).toHaveLength(2)
  })

  test('a chain of 50,000 nodes costs no call depth', () => {
    const document = pageDocument(1, ({ graph, catalog }) => {
      let node = catalog.get('Pages') as PdfObject
      for (let depth = 0; depth < 50_000; depth += 1) {
        node = graph.add(dictionary({ Type: name('Pages'), Kids: [node], Count: 1 }))
      }
      catalog.set('Pages', node)
    })
    expect(
      pagesOf(readPdf(writePdf(document, formats['object streams'] ?? plain)).graph),
    ).toHaveLength(1)
  })
})

test('the catalog has no version beside the one in the header, and outlines of its own number', () => {
  const document = pageDocument(1, ({ catalog }) => {
    catalog.set('Version', name('2.0'))
    catalog.set('Outlines', dictionary({ Count: 0 }))
  })
  const output = latin1(writePdf(document, plain))
  expect(output).toMatch(/1 0 obj\n<<\/Outlines \d+ 0 R\/Pages \d+ 0 R\/Type\/Catalog>>/)
})

describe('Streams', () => {
  const words = 'normalized '.repeat(40)

  test('what is plain is deflated, and what is not worth it stays plain', () => {
    const long = rewritten(stream({}, words))
    expect(long.dictionary.get('Filter')).toEqual(name('FlateDecode'))
    expect(latin1(inflateSync(long.data))).toBe(words)
    const short = rewritten(stream({}, 'q Q'))
    expect(short.dictionary.has('Filter')).toBe(false)
    expect(latin1(short.data)).toBe('q Q')
  })

  test('Flate data keeps its bytes, even where it could be smaller', () => {
    const data = deflateSync(words, { level: 1 })
    expect(
      rewritten(stream({ Filter: name('FlateDecode') }, data.toString('latin1'))).data,
    ).toEqual(new Uint8Array(data))
  })

  test('image data keeps its bytes and its filters', () => {
    const filters = [name('ASCIIHexDecode'), name('DCTDecode')]
    const kept = rewritten(stream({ Filter: filters }, 'ffd8ffe0>'))
    expect(kept.dictionary.get('Filter')).toEqual(filters)
    expect(latin1(kept.data)).toBe('ffd8ffe0>')
  })

  test.each([
    ['ASCIIHexDecode', `${Buffer.from(words).toString('hex')}>`, words],
    ['RunLengthDecode', '\xc1A\x02xyz\x80', `${'A'.repeat(64)}xyz`],
    ['LZWDecode', '\x80\x0b\x60\x50\x22\x0c\x0c\x85\x01', '-----A---B'],
  ])('%s is undone', (filter, data, expected) => {
    const result = rewritten(stream({ Filter: name(filter) }, data))
    const isPlain = !result.dictionary.has('Filter')
    expect(latin1(isPlain ? result.data : inflateSync(result.data))).toBe(expected)
  })

  test('a wrapper around Flate data is taken off, its parameters stay', () => {
    const data = deflateSync(words)
    const result = rewritten(
      stream(
        {
          Filter: [name('ASCIIHexDecode'), name('FlateDecode')],
          DecodeParms: [null, dictionary({ Predictor: 1 })],
        },
        `${data.toString('hex')}>`,
      ),
    )
    expect(result.dictionary.get('Filter')).toEqual(name('FlateDecode'))
    expect(result.dictionary.get('DecodeParms')).toEqual(dictionary({ Predictor: 1 }))
    expect(result.data).toEqual(new Uint8Array(data))
  })

  test("the document's XMP can be read in the bytes of the file", () => {
    const xmp = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>${words}<?xpacket end="r"?>`
    const document = pageDocument(1, ({ graph, catalog }) => {
      const data = deflateSync(xmp).toString('latin1')
      const entries = { Type: name('Metadata'), Subtype: name('XML'), Filter: name('FlateDecode') }
      catalog.set('Metadata', graph.add(stream(entries, data)))
    })
    for (const options of Object.values(formats)) {
      expect(latin1(writePdf(document, options))).toContain(`stream\n${xmp}\nendstream`)
    }
  })

  test('an indirect length becomes direct and exact', () => {
    const document = pageDocument(1, ({ graph, catalog }) => {
      catalog.set('Data', graph.add(stream({ Length: graph.add(7_777) }, 'five!')))
    })
    const output = latin1(writePdf(document, plain))
    expect(output).toContain('<</Length 5>>\nstream\nfive!\nendstream')
    expect(output).not.toContain('7777')
  })

  test('a stream that stands directly in another object gets a number', () => {
    const document = pageDocument(1, ({ catalog }) => {
      const direct = stream({}, 'direct')
      catalog.set('Data', [direct, direct])
    })
    const output = latin1(writePdf(document, plain))
    expect(output).toMatch(/\/Data\[(\d+) 0 R \1 0 R\]/)
    expect(output.match(/stream\ndirect\nendstream/g)).toHaveLength(1)
  })
})

test('a hundred thousand objects in a ring are written as they are', () => {
  const count = 100_000
  const document = pageDocument(1, ({ graph, catalog }) => {
    const first = graph.add(null).number
    for (let index = 1; index < count; index += 1) {
      graph.add(dictionary({ Next: reference(first + index - 1), I: index }))
    }
    graph.set(first, dictionary({ Next: reference(first + count - 1), I: 0 }))
    catalog.set('Ring', reference(first))
  })
  const output = writePdf(document, { linearize: true, objectStreams: true, version: '1.7' })
  const { graph } = readPdf(output)
  expect([...graph.numbers()].length).toBeGreaterThan(count)
  const catalog = graph.resolve(graph.trailer.get('Root'))
  let object = catalog instanceof PdfDictionary ? graph.resolve(catalog.get('Ring')) : null
  for (let step = 0; step < 5; step += 1) {
    expect(object instanceof PdfDictionary && object.get('I')).toBe((count - step) % count)
    object = object instanceof PdfDictionary ? graph.resolve(object.get('Next')) : null
  }
})

const zeros = '0'.repeat(32)

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1')
}

function streamText(graph: ObjectGraph, object: PdfObject | undefined): string {
  const found = graph.resolve(object)
  if (!(found instanceof PdfStream)) throw new Error('no stream')
  return latin1(found.dictionary.has('Filter') ? inflateSync(found.data) : found.data)
}

/** A stream as it stands in the written file. */
function rewritten(object: PdfStream): PdfStream {
  const document = pageDocument(1, ({ graph, catalog }) => {
    catalog.set('Data', graph.add(object))
  })
  const { graph } = readPdf(writePdf(document, plain))
  const catalog = graph.resolve(graph.trailer.get('Root'))
  const data = catalog instanceof PdfDictionary ? graph.resolve(catalog.get('Data')) : null
  if (!(data instanceof PdfStream)) throw new Error('the stream is gone')
  return data
}

function richDocument(): MemoryGraph {
  return pageDocument(150, (document) => {
    const { graph, catalog, pages, references } = document
    addOutlines(document)
    catalog.set('PageLabels', dictionary({ Nums: [0, dictionary({ S: name('r'), St: 1.50001 })] }))
    for (const [index, page] of pages.entries()) {
      const link = {
        Subtype: name('Link'),
        Rect: [0.1 * index, 1 / 3, 100, 20],
        Dest: [references[(index * 7) % references.length] ?? null, name('XYZ'), null, 700, null],
        Contents: text(`\xfe\xff\x00${String.fromCharCode(index)}`),
      }
      page.set('Annots', [graph.add(dictionary(link))])
    }
  })
}

/** The same document under other numbers, with other key orders, and with objects that nothing refers to. */
function shuffled(graph: MemoryGraph): MemoryGraph {
  const numbers = [...graph.numbers()]
  const place = new Map(numbers.map((number) => [number, 3 * (numbers.length - number) + 2]))
  const moved = (object: PdfObject): PdfObject => {
    if (Array.isArray(object)) return object.map(moved)
    if (object instanceof PdfStream) {
      return new PdfStream(moved(object.dictionary) as PdfDictionary, object.data)
    }
    if (object instanceof PdfDictionary) {
      return new PdfDictionary(
        [...object].map(([key, value]) => [key, moved(value)] as const).reverse(),
      )
    }
    const isReference = object !== null && typeof object === 'object' && 'generation' in object
    return isReference ? reference(place.get(object.number) ?? 9_999) : object
  }
  const result = new MemoryGraph()
  for (const number of numbers) result.set(place.get(number) ?? 0, moved(graph.get(number)))
  for (const [key, value] of graph.trailer) result.trailer.set(key, moved(value))
  result.set(1, text('left over'))
  result.set(7, dictionary({ Type: name('Catalog'), Pages: reference(1) }))
  return result
}
