import { inflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { dictionary, type MemoryGraph, name, stream, text } from '../../../test/memory-graph.ts'
import { addOutlines, pageDocument, pagesOf } from '../../../test/page-document.ts'
import { hasQpdf, qpdf, withoutQpdf } from '../../../test/qpdf.ts'
import { NotLinearizableError } from './object-users.ts'
import { PdfDictionary, type PdfObject } from '../object.ts'
import { readPdf } from '../reading/read-pdf.ts'
import { writePdf } from './writer.ts'

const documents: Record<string, () => MemoryGraph> = {
  'one page': () => pageDocument(1),
  'two pages': () => pageDocument(2),
  'three hundred pages': () => pageDocument(300),
  'pages without fonts or contents': () =>
    pageDocument(3, ({ pages }) => {
      for (const page of pages) page.delete('Resources')
      for (const page of pages) page.delete('Contents')
    }),
  'pages with arrays of contents, some shared': () =>
    pageDocument(20, ({ graph, pages }) => {
      const head = graph.add(stream({}, 'q'))
      const tail = graph.add(stream({}, 'Q '.repeat(100)))
      for (const page of pages) page.set('Contents', [head, page.get('Contents') ?? null, tail])
    }),
  'resources that only some pages share': () =>
    pageDocument(120, ({ graph, pages }) => {
      for (const [index, page] of pages.entries()) {
        if (index % 10 === 0) continue
        const form = { Type: name('XObject'), Subtype: name('Form'), BBox: [0, 0, 1, 1] }
        const shared = graph.add(stream(form, `${index} g`))
        const resources = dictionary({ XObject: dictionary({ Fm: shared }) })
        page.set('Resources', graph.add(resources))
        pages[(index * 13) % 120]?.set('Resources', graph.add(resources))
      }
    }),
  'an outline at the end': () => pageDocument(30, addOutlines),
  'an outline that opens with the document': () =>
    pageDocument(230, (document) => {
      addOutlines(document)
      document.catalog.set('PageMode', document.graph.add(name('UseOutlines')))
    }),
  'an outline that leads into the structure of the pages': () =>
    pageDocument(5, (document) => {
      const outlines = addOutlines(document)
      const { graph, catalog, pages, references } = document
      const root = graph.add(null)
      const elements = references.map((page) =>
        graph.add(dictionary({ S: name('P'), P: root, Pg: page, K: 0 })),
      )
      graph.set(root.number, dictionary({ Type: name('StructTreeRoot'), K: elements }))
      catalog.set('StructTreeRoot', root)
      const item = graph.get(outlines.number + 1)
      if (item instanceof PdfDictionary) item.set('SE', elements[0] ?? null)
      pages[1]?.set('Annots', [graph.add(dictionary({ Subtype: name('Text'), Popup: root }))])
    }),
  'an outline that is direct': () =>
    pageDocument(2, ({ catalog }) => catalog.set('Outlines', dictionary({ Count: 0 }))),
  'thumbnails of their own and shared ones': () =>
    pageDocument(9, ({ graph, pages }) => {
      const space = graph.add([name('Indexed'), name('DeviceRGB'), 0, text('\x00\x80\xff')])
      const image = { Subtype: name('Image'), Width: 1, Height: 1, ColorSpace: space }
      const shared = graph.add(stream(image, 'x'))
      for (const [index, page] of pages.entries()) {
        page.set('Thumb', index < 4 ? graph.add(stream(image, `${index}`)) : shared)
      }
      // The same objects also as ordinary content of pages, met before the thumbnail and after it.
      pages[2]?.set(
        'Resources',
        dictionary({ XObject: dictionary({ I: pages[2].get('Thumb') ?? null }) }),
      )
      pages[3]?.set('VP', [pages[3].get('Thumb') ?? null])
    }),
  'annotations that lead to other pages and to each other': () =>
    pageDocument(60, ({ graph, pages, references }) => {
      const form = graph.add(null)
      const widgets = pages.map((page, index) => {
        const widget = graph.add(
          dictionary({ Subtype: name('Widget'), Parent: form, P: references[index] ?? null }),
        )
        const link = dictionary({ Subtype: name('Link'), Dest: [references.at(-index) ?? null] })
        page.set('Annots', graph.add([widget, graph.add(link)]))
        return widget
      })
      graph.set(form.number, dictionary({ T: text('field'), Kids: widgets }))
    }),
  'a catalog with everything that opens a document': () =>
    pageDocument(4, ({ graph, catalog, references }) => {
      catalog.set('ViewerPreferences', graph.add(dictionary({ Direction: name('R2L') })))
      catalog.set('OpenAction', graph.add([references[2] ?? null, name('Fit')]))
      catalog.set('AcroForm', graph.add(dictionary({ Fields: graph.add([]) })))
      catalog.set('Threads', graph.add([graph.add(dictionary({ F: graph.add(dictionary({})) }))]))
      catalog.set('Dests', graph.add(dictionary({ first: [references[0] ?? null, name('Fit')] })))
    }),
  'a page in the catalog and in Info': () =>
    pageDocument(3, ({ graph, catalog, references }) => {
      catalog.set('Favourite', references[1] ?? null)
      graph.trailer.set('Info', references[2] ?? null)
    }),
  'references from everywhere to everything': () =>
    pageDocument(6, ({ graph, catalog, pages, references }) => {
      const root = graph.trailer.get('Root') ?? null
      const tree = catalog.get('Pages') ?? null
      for (const page of pages) page.set('PieceInfo', [root, tree, ...references])
      catalog.set('Self', root)
    }),
  'a nested page tree with inherited attributes': () =>
    pageDocument(8, ({ graph, catalog, tree, pages, references }) => {
      const root = catalog.get('Pages') ?? null
      const left = graph.add(null)
      for (const page of pages) page.delete('Resources')
      const node = dictionary({ Type: name('Pages'), Parent: root, Count: 4, Rotate: 90 })
      node.set('Resources', dictionary({ Font: dictionary({}) }))
      node.set('Kids', references.slice(0, 4))
      graph.set(left.number, node)
      tree.set('Kids', [left, ...references.slice(4), references[0] ?? null])
      tree.set('Resources', dictionary({ Font: dictionary({ F: dictionary({}) }) }))
    }),
}

const formats = {
  'object streams': { linearize: true, objectStreams: true, version: '1.7' },
  'classical tables': { linearize: true, objectStreams: false, version: '1.4' },
} as const

describe.each(Object.entries(formats))('Linearized with %s', (_, options) => {
  test.runIf(hasQpdf).each(Object.entries(documents))(
    `%s: qpdf recomputes the layout and finds every hint true${withoutQpdf}`,
    (_, build) => {
      const output = writePdf(build(), options)
      expect(qpdf(output, '--check-linearization')).toEqual({
        code: 0,
        says: 'F: no linearization errors',
      })
      expect(qpdf(output, '--show-npages').says).toBe(`${pagesOf(readPdf(output).graph).length}`)
    },
  )

  test.each(Object.entries(documents))('%s: written again it is the same', (_, build) => {
    const output = writePdf(build(), options)
    expect(writePdf(readPdf(output).graph, options)).toEqual(output)
  })

  test.each(Object.entries(documents))(
    '%s: linearized or not, the document is the same',
    (_, build) => {
      const direct = writePdf(build(), { ...options, linearize: false })
      const { graph } = readPdf(writePdf(build(), options))
      expect(writePdf(graph, { ...options, linearize: false })).toEqual(direct)
    },
  )

  test('the first page needs nothing that lies after its end', () => {
    const output = writePdf(pageDocument(50), options)
    const { linearization, bytes } = readPdf(output)
    expect(linearization?.intact).toBe(true)
    const parameters = linearization?.dictionary
    expect(parameters?.get('L')).toBe(bytes.length)
    expect(parameters?.get('N')).toBe(50)

    // Cut off behind the first page: what is left has to show it.
    const part = bytes.slice(0, Number(parameters?.get('E')))
    expect(readable(part)).toContain('(page 1)')
    expect(readable(part)).toContain('/BaseFont/Helvetica')
    expect(readable(part)).not.toContain('(page 2)')
  })

  test('the file is found through its one startxref, and by readers that know nothing of hints', () => {
    const output = writePdf(pageDocument(50, addOutlines), options)
    const file = readPdf(output)
    expect(file.sections).toHaveLength(2)
    expect(file.revisions).toHaveLength(1)
    expect(file.repairs).toMatchObject({ crossReferenceRebuilt: false, mismatchedEntries: [] })
    expect(pagesOf(file.graph)).toHaveLength(50)
  })
})

test('a document without pages is not linearized', () => {
  const { objectStreams, version } = formats['object streams']
  const options = { linearize: true, objectStreams, version }
  expect(() => writePdf(pageDocument(0), options)).toThrow(NotLinearizableError)
  expect(() => writePdf(pageDocument(0), { ...options, linearize: false })).not.toThrow()
})

test('a document whose pages share too much is given up before it takes long', () => {
  const document = pageDocument(3_500, ({ graph, pages }) => {
    let chain: PdfObject = null
    for (let index = 0; index < 3_500; index += 1) chain = graph.add([chain])
    for (const page of pages) page.set('PieceInfo', chain)
  })
  expect(() => writePdf(document, formats['object streams'])).toThrow(NotLinearizableError)
})

/** The bytes as text, and behind them what their object streams hold. */
function readable(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString('latin1')
  const packed = text.matchAll(/\/Length (\d+)\/N \d+\/Type\/ObjStm>>\nstream\n/g)
  const unpacked = [...packed].map(({ 0: head, 1: length, index }) => {
    const data = bytes.subarray(index + head.length, index + head.length + Number(length))
    return data[0] === 0x78 ? inflateSync(data).toString('latin1') : ''
  })
  return text + unpacked.join('')
}
