import { isName, PdfDictionary, type PdfObject, PdfReference, PdfStream } from '../object.ts'
import type { ObjectGraph } from '../object-graph.ts'
import { laterVersion, type PdfVersion, requiredVersion } from './required-version.ts'
import { SettledGraph } from './settled-graph.ts'
import { type ObjectSurroundings, type ReferenceRange, SpelledObjects } from './spelled-objects.ts'
import { writtenStream } from './written-stream.ts'

/**
 * All that is written of a document, in canonical order: breadth-first from `/Root`, then from `/Info`, keys in byte
 * order. Objects are identified by their index in `objects`; the spellings refer by index too. What is not reachable
 * is not there.
 */
export interface WrittenDocument {
  readonly objects: SpelledObjects
  readonly root: number
  readonly info: number | null
  readonly pages: readonly WrittenPage[]
  /** What the catalog refers to, by its keys. */
  readonly catalogEntries: ReadonlyMap<string, ReferenceRange>
  /** 7.7.2, table 29: the viewer shows the outline at once. */
  readonly opensWithOutlines: boolean
  /** What it was made from. */
  readonly settled: SettledGraph
  /** What its features ask; 1.5 at least, with which object streams came. */
  readonly neededVersion: PdfVersion
}

/** What its page tree and its thumbnail are, is told apart from what a page needs to be shown. */
export interface WrittenPage {
  readonly index: number
  readonly parent: ReferenceRange
  /** Empty without one. */
  readonly thumbnail: ReferenceRange
}

/** @throws {Error} when the graph has no catalog with a page tree */
export function writtenDocument(graph: ObjectGraph): WrittenDocument {
  const settled = new SettledGraph(graph)
  /** By number; also for numbers that lead there. */
  const indexes = new Map<number, number>()
  const order: number[] = []
  const indexOf = (number: number): number => {
    const known = indexes.get(number)
    if (known !== undefined && known !== gone) return known
    indexes.set(number, order.length)
    return order.push(number) - 1
  }
  const written = (value: PdfObject): PdfObject => {
    const isGone = value instanceof PdfReference && settled.locate(value) === null
    return isGone ? null : settled.resolve(value)
  }
  let neededVersion: PdfVersion = '1.5'
  const surroundings: ObjectSurroundings = {
    identify(target) {
      if (target instanceof PdfReference) {
        const known = indexes.get(target.number)
        if (known !== undefined) return known === gone ? null : known
      }
      const number = settled.locate(target)
      const index = number === null ? gone : indexOf(number)
      if (target instanceof PdfReference) indexes.set(target.number, index)
      return index === gone ? null : index
    },
    omits: (dictionary) => settled.isPage(dictionary),
    meet: (dictionary) => {
      neededVersion = laterVersion(neededVersion, requiredVersion(dictionary, written))
    },
  }

  const catalog = settled.get(settled.root)
  const metadata = entryOf(settled, catalog, 'Metadata')
  const pageNumbers = new Set(settled.pages)
  const pages = new Map<number, WrittenPage>()
  const catalogEntries = new Map<string, ReferenceRange>()
  const objects = new SpelledObjects()
  const takeAll = (): void => {
    while (objects.count < order.length) {
      const index = objects.count
      const number = order[index] ?? 0
      const object = settled.get(number)
      if (object instanceof PdfStream) {
        // The catalog's XMP has to be readable in the plain bytes.
        const stream = writtenStream(graph, object, object === metadata)
        objects.add(withLength(stream), stream.data, surroundings)
      } else if (pageNumbers.has(number)) {
        const entries = new Map<string, ReferenceRange>()
        objects.add(object, null, surroundings, entries)
        const [start, end] = objects.references(index)
        const parent = entries.get('Parent') ?? [start, start]
        pages.set(number, { index, parent, thumbnail: entries.get('Thumb') ?? [end, end] })
      } else {
        const entries = number === settled.root ? catalogEntries : undefined
        objects.add(object, null, surroundings, entries)
      }
    }
  }

  indexOf(settled.root)
  takeAll()
  const info = settled.info === null ? null : indexOf(settled.info)
  takeAll()
  return {
    objects,
    root: 0,
    info,
    pages: settled.pages.flatMap((number) => pages.get(number) ?? []),
    catalogEntries,
    opensWithOutlines: isName(entryOf(settled, catalog, 'PageMode'), 'UseOutlines'),
    neededVersion,
    settled,
  }
}

/** In place of the index of what is not written. */
const gone = -1

function entryOf(settled: SettledGraph, dictionary: PdfObject, key: string): PdfObject {
  return dictionary instanceof PdfDictionary ? settled.resolve(dictionary.get(key)) : null
}

function withLength({ dictionary, data }: PdfStream): PdfDictionary {
  const settled = new PdfDictionary(dictionary)
  settled.set('Length', data.byteLength)
  return settled
}
