import { PdfDictionary, PdfName, type PdfObject, PdfReference } from '../../pdf/object.ts'
import type { ObjectGraph } from '../../pdf/object-graph.ts'
import type { Place } from '../failures.ts'

/** Whether the dictionary has the key. ISO 32000-2, 7.3.7: a value of null is as if there were no entry. */
export function hasEntry(dictionary: PdfDictionary, key: string): boolean {
  const value = dictionary.get(key)
  return value !== undefined && value !== null
}

/** The keys of all entries that {@link hasEntry}. */
export function entryKeys(dictionary: PdfDictionary): string[] {
  return [...dictionary].filter(([, value]) => value !== null).map(([key]) => key)
}

/** The value as a dictionary; a stream is none. */
export function dictionaryAt(
  graph: ObjectGraph,
  object: PdfObject | undefined,
): PdfDictionary | null {
  const value = graph.resolve(object)
  return value instanceof PdfDictionary ? value : null
}

/** The items of an array, as they stand there; none of anything else. */
export function itemsAt(graph: ObjectGraph, object: PdfObject | undefined): readonly PdfObject[] {
  const value = graph.resolve(object)
  return Array.isArray(value) ? value : []
}

/** The items of arrays, of each array once: one that many share would cost its length as often. */
export class ItemsOnce {
  readonly #graph: ObjectGraph
  readonly #seen = new Set<readonly PdfObject[]>()

  constructor(graph: ObjectGraph) {
    this.#graph = graph
  }

  /** None for an array whose items were given before. */
  at(object: PdfObject | undefined): readonly PdfObject[] {
    const items = itemsAt(this.#graph, object)
    if (this.#seen.has(items)) return []
    this.#seen.add(items)
    return items
  }
}

/** The name's text; null for anything else. */
export function nameAt(graph: ObjectGraph, object: PdfObject | undefined): string | null {
  const value = graph.resolve(object)
  return value instanceof PdfName ? value.value : null
}

/** Where an object stands that something at this place holds. */
export function placeOf(object: PdfObject | undefined, holder: Place): Place {
  return object instanceof PdfReference ? { ...holder, object } : holder
}
