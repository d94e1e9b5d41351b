import { isName, PdfDictionary, type PdfObject, PdfReference, PdfStream } from '../object.ts'
import type { ObjectGraph } from '../object-graph.ts'
import { laterVersion, type PdfVersion, requiredVersion } from './required-version.ts'
import { spell, type Spelling, type Surroundings } from './serialize.ts'
import { SettledGraph } from './settled-graph.ts'
import { writtenStream } from './written-stream.ts'

/**
 * All that is written of a document, in canonical order: breadth-first from `/Root`, then from `/Info`, keys in byte
 * order. Objects are identified by their index in `objects`; the spellings refer by index too. What is not reachable
 * is not there.
 */
export interface WrittenDocument {
  readonly objects: readonly WrittenObject[]
  readonly root: number
  readonly info: number | null
  readonly pages: readonly number[]
  /** 7.7.2, table 29: the viewer shows the outline at once. */
  readonly opensWithOutlines: boolean
  /** What its features ask; 1.5 at least, with which object streams came. */
  readonly neededVersion: PdfVersion
}

export interface WrittenObject {
  /** Of a stream: its dictionary, with `/Length`. With ranges for the catalog and for pages. */
  readonly spelling: Spelling
  /** The encoded data of a stream; null for other objects. */
  readonly data: Uint8Array | null
}

/** @throws {Error} when the graph has no catalog with a page tree */
export function writtenDocument(graph: ObjectGraph): WrittenDocument {
  const settled = new SettledGraph(graph)
  const indexes = new Map<number, number>()
  const order: number[] = []
  const indexOf = (number: number): number => {
    const known = indexes.get(number)
    if (known !== undefined) return known
    indexes.set(number, order.length)
    return order.push(number) - 1
  }
  const written = (value: PdfObject): PdfObject => {
    const isGone = value instanceof PdfReference && settled.locate(value) === null
    return isGone ? null : settled.resolve(value)
  }
  let neededVersion: PdfVersion = '1.5'
  const surroundings: Surroundings = {
    identify(target) {
      const number = settled.locate(target)
      return number === null ? null : indexOf(number)
    },
    omits: (dictionary) => settled.isPage(dictionary),
    meet: (dictionary) => {
      neededVersion = laterVersion(neededVersion, requiredVersion(dictionary, written))
    },
  }

  const pages = new Set(settled.pages)
  const catalog = settled.get(settled.root)
  const metadata = entryOf(settled, catalog, 'Metadata')
  const objects: WrittenObject[] = []
  const takeAll = (): void => {
    while (objects.length < order.length) {
      const number = order[objects.length] ?? 0
      const object = settled.get(number)
      const withRanges = number === settled.root || pages.has(number)
      if (object instanceof PdfStream) {
        // The catalog's XMP has to be readable in the plain bytes.
        const stream = writtenStream(graph, object, object === metadata)
        const spelling = spell(withLength(stream), surroundings)
        objects.push({ spelling, data: stream.data })
      } else objects.push({ spelling: spell(object, surroundings, withRanges), data: null })
    }
  }

  indexOf(settled.root)
  takeAll()
  const info = settled.info === null ? null : indexOf(settled.info)
  takeAll()
  const opensWithOutlines = isName(entryOf(settled, catalog, 'PageMode'), 'UseOutlines')
  const pageIndexes = settled.pages.map(indexOf)
  return { objects, root: 0, info, pages: pageIndexes, opensWithOutlines, neededVersion }
}

/** The spelling of the object with this index. */
export function spellingOf(document: WrittenDocument, index: number): Spelling {
  const object = document.objects[index]
  if (!object) throw new RangeError(`no object ${index}`)
  return object.spelling
}

function entryOf(settled: SettledGraph, dictionary: PdfObject, key: string): PdfObject {
  return dictionary instanceof PdfDictionary ? settled.resolve(dictionary.get(key)) : null
}

function withLength({ dictionary, data }: PdfStream): PdfDictionary {
  const settled = new PdfDictionary(dictionary)
  settled.set('Length', data.byteLength)
  return settled
}
