import { createHash } from 'node:crypto'
import type { PdfObject } from '../src/pdf/object.ts'
import { writePdf } from '../src/pdf/writing/writer.ts'
import { dictionary, name, stream, text } from '../test/memory-graph.ts'
import { addOutlines, type PageDocument, pageDocument } from '../test/page-document.ts'

/** A kind of large document: equal but for its size, so that time per object tells whether the work is linear. */
export interface LargeKind {
  readonly name: string
  /** What {@link LargeKind.build} is given, from small to large. */
  readonly sizes: readonly number[]
  /** How many objects a document of this size has. */
  objects(size: number): number
  build(size: number): Uint8Array
}

export const largeKinds: readonly LargeKind[] = [
  {
    name: 'pages of text',
    sizes: [5_000, 10_000, 20_000, 40_000],
    objects: (pages) => 2 * pages + 6,
    build: (pages) => classic(pageDocument(pages)),
  },
  {
    name: 'pages in object streams, outlines',
    sizes: [5_000, 20_000],
    objects: (pages) => 3 * pages + 7,
    build: (pages) =>
      writePdf(pageDocument(pages, addOutlines), {
        linearize: false,
        objectStreams: true,
        version: '1.7',
      }),
  },
  {
    name: 'links, 50 on a page',
    sizes: [20_000, 100_000, 255_000],
    objects: (links) => links + links / 25 + 6,
    build: (links) => classic(pageDocument(links / 50, (document) => addLinks(document, 50))),
  },
  {
    name: 'links, all on one page',
    sizes: [20_000, 100_000],
    objects: (links) => links + 8,
    build: (links) => classic(pageDocument(1, (document) => addLinks(document, links))),
  },
  {
    name: 'links, table lost',
    sizes: [20_000, 100_000, 255_000],
    objects: (links) => links + links / 25 + 6,
    build: (links) =>
      withoutTable(classic(pageDocument(links / 50, (document) => addLinks(document, 50)))),
  },
  {
    name: 'short streams, 20 on a page',
    sizes: [20_000, 100_000],
    objects: (streams) => streams + streams / 10 + 6,
    build: (streams) => classic(pageDocument(streams / 20, (document) => addForms(document, 20))),
  },
  {
    name: 'saves',
    sizes: [500, 2_000, 8_000],
    objects: (saves) => saves + 10,
    build: savedAgain,
  },
  {
    name: 'images of 1 MiB',
    sizes: [12, 24, 48, 96],
    objects: (images) => 3 * images + 6,
    build: (images) => classic(pageDocument(images, addImages)),
  },
]

function classic(graph: PageDocument['graph']): Uint8Array {
  return writePdf(graph, { linearize: false, objectStreams: false, version: '1.7' })
}

function addLinks({ graph, pages }: PageDocument, perPage: number): void {
  for (const [number, page] of pages.entries()) {
    const links = Array.from({ length: perPage }, (_, index) =>
      graph.add(
        dictionary({
          Type: name('Annot'),
          Subtype: name('Link'),
          Rect: [index, 10, index + 5, 20],
          Border: [0, 0, 0],
          A: dictionary({ S: name('URI'), URI: text(`http://example.org/${number}/${index}`) }),
        }),
      ),
    )
    page.set('Annots', links)
  }
}

function addForms({ graph, pages }: PageDocument, perPage: number): void {
  for (const [number, page] of pages.entries()) {
    const forms: Record<string, PdfObject> = {}
    for (let index = 0; index < perPage; index += 1) {
      const shape = { Type: name('XObject'), Subtype: name('Form'), BBox: [0, 0, index, 10] }
      const content = `q ${index} 0 0 ${number} 0 0 cm 0 0 1 1 re f Q % a note of the music`
      forms[`X${index}`] = graph.add(stream(shape, content))
    }
    page.set('Resources', dictionary({ XObject: dictionary(forms) }))
  }
}

/** Each page with an image of data that does not compress. */
function addImages({ graph, pages }: PageDocument): void {
  const Width = 1024 * 1024
  for (const [index, page] of pages.entries()) {
    const shape = { Width, Height: 1, BitsPerComponent: 8, ColorSpace: name('DeviceGray') }
    const entries = { Type: name('XObject'), Subtype: name('Image'), ...shape }
    const image = stream({ ...entries, Filter: name('DCTDecode') })
    image.data = noise(Width, index)
    page.set('Resources', dictionary({ XObject: dictionary({ Im: graph.add(image) }) }))
  }
}

/** The same on every run. */
function noise(length: number, seed: number): Uint8Array {
  return createHash('shake256', { outputLength: length }).update(`${seed}`).digest()
}

/** With a `startxref` that leads nowhere: every object has to be looked for. */
function withoutTable(bytes: Uint8Array): Uint8Array {
  const damaged = Buffer.from(bytes)
  damaged.write(
    '7\n%%EOF\n'.padEnd(damaged.length - damaged.lastIndexOf('startxref') - 10),
    damaged.lastIndexOf('startxref') + 10,
    'latin1',
  )
  return new Uint8Array(damaged)
}

/** Saved again and again, each time with another `/Info`. */
function savedAgain(saves: number): Uint8Array {
  const first = Buffer.from(classic(pageDocument(3)))
  const trailer = /\/Info (\d+) 0 R\/Root (\d+) 0 R\/Size (\d+)/.exec(first.toString('latin1'))
  const [, info = '', root = '', size = ''] = trailer ?? []
  const parts: Buffer[] = [first]
  let length = first.length
  let previous = first.lastIndexOf('xref\n0 ')
  for (let save = 0; save < saves; save += 1) {
    const object = `${info} 0 obj\n<</Title(Save ${save})>>\nendobj\n`
    const section = length + object.length
    const table = `xref\n${info} 1\n${String(length).padStart(10, '0')} 00000 n \n`
    const entries = `<</Info ${info} 0 R/Prev ${previous}/Root ${root} 0 R/Size ${size}>>`
    const part = `${object}${table}trailer\n${entries}\nstartxref\n${section}\n%%EOF\n`
    parts.push(Buffer.from(part, 'latin1'))
    length += part.length
    previous = section
  }
  return new Uint8Array(Buffer.concat(parts))
}
