import { documentCatalog } from './catalog.ts'
import { isName, PdfDictionary, type PdfObject, PdfReference, PdfStream } from './object.ts'
import type { ObjectGraph } from './object-graph.ts'
import { listPages } from './page-tree.ts'
import { parentArrays, tidyStructureTrees } from './parent-tree.ts'
import { dictionaryOf, walkDirect } from './walk-direct.ts'

/**
 * Takes dictionaries and streams (given by their dictionaries) out of the document and with them whatever would be
 * left pointing at nothing: pop-ups of removed annotations (ISO 32000-2, 12.5.6.14), object references in the
 * structure tree (14.7.5.3) and structure elements that held nothing else.
 */
export function dropObjects(graph: ObjectGraph, doomed: ReadonlySet<PdfDictionary>): void {
  if (doomed.size === 0) return
  const all = new Set(doomed)
  spareSkeleton(graph, all)
  const { popups, objectReferences, elements, structureKeys } = dependants(graph)
  const keepPlaces = parentArrays(graph)
  for (const popup of popups) if (isAmong(graph, popup.get('Parent'), all)) all.add(popup)
  const emptied = objectReferences.filter((entry) => isAmong(graph, entry.get('Obj'), all))
  for (const entry of emptied) all.add(entry)
  if (emptied.length > 0) doomEmptiedElements(graph, elements, all)

  dropFrom(graph, graph.trailer, all, keepPlaces)
  const doomedNumbers: number[] = []
  for (const number of graph.numbers()) {
    const object = graph.get(number)
    const dictionary = dictionaryOf(object)
    if (dictionary && all.has(dictionary)) doomedNumbers.push(number)
    else dropFrom(graph, object, all, keepPlaces)
  }
  // Only now: until here references to them had to resolve.
  for (const number of doomedNumbers) graph.delete(number)
  tidyStructureTrees(graph, keysLeftUnused(structureKeys, all))
}

/**
 * The catalog, the pages and their content stay whatever they pass themselves off as. They lose what makes them an annotation
 * (`/Subtype`) or an action (`/S`).
 */
function spareSkeleton(graph: ObjectGraph, doomed: Set<PdfDictionary>): void {
  const skeleton = new Set([documentCatalog(graph)])
  for (const { dictionary, ancestors } of listPages(graph)) {
    skeleton.add(dictionary)
    const contents = graph.resolve(dictionary.get('Contents'))
    for (const part of Array.isArray(contents) ? contents : [contents]) {
      const stream = graph.resolve(part)
      if (stream instanceof PdfStream) skeleton.add(stream.dictionary)
    }
    // From the parent up: whatever holds one that is known, is known.
    for (const ancestor of ancestors) {
      if (skeleton.has(ancestor)) break
      skeleton.add(ancestor)
    }
  }
  for (const dictionary of skeleton) {
    if (!doomed.delete(dictionary)) continue
    dictionary.delete('Subtype')
    dictionary.delete('S')
  }
}

interface Dependants {
  readonly popups: PdfDictionary[]
  readonly objectReferences: PdfDictionary[]
  readonly elements: PdfDictionary[]
  /** What has a key into the parent tree (14.7.5.4). */
  readonly structureKeys: { readonly holder: PdfDictionary; readonly key: number }[]
}

function dependants(graph: ObjectGraph): Dependants {
  const found: Dependants = {
    popups: [],
    objectReferences: [],
    elements: [],
    structureKeys: [],
  }
  for (const number of graph.numbers()) {
    walkDirect(graph.get(number), (object) => {
      const holder = dictionaryOf(object)
      if (!holder) return
      noteStructureKeys(graph, holder, found)
      if (holder.has('Parent') && isName(graph.resolve(holder.get('Subtype')), 'Popup')) {
        found.popups.push(holder)
      }
      if (object !== holder) return
      if (holder.has('Obj')) found.objectReferences.push(holder)
      else if (holder.has('K') && holder.has('S') && holder.has('P')) found.elements.push(holder)
    })
  }
  return found
}

/** Pages, annotations and XObjects; a stream has them in its dictionary. */
function noteStructureKeys(
  graph: ObjectGraph,
  holder: PdfDictionary,
  { structureKeys }: Dependants,
): void {
  for (const name of ['StructParent', 'StructParents']) {
    const key = holder.has(name) ? graph.resolve(holder.get(name)) : null
    if (typeof key === 'number') structureKeys.push({ holder, key })
  }
}

function keysLeftUnused(
  structureKeys: Dependants['structureKeys'],
  doomed: ReadonlySet<PdfDictionary>,
): Set<number> {
  const unused = new Set<number>()
  for (const { holder, key } of structureKeys) if (doomed.has(holder)) unused.add(key)
  for (const { holder, key } of structureKeys) if (!doomed.has(holder)) unused.delete(key)
  return unused
}

/** An element whose last kid goes, goes too, and so on up to the root, which has no `/S`. */
function doomEmptiedElements(
  graph: ObjectGraph,
  elements: readonly PdfDictionary[],
  doomed: Set<PdfDictionary>,
): void {
  const kidsLeft = new Map<PdfDictionary, number>()
  const emptied: PdfDictionary[] = []
  const parents = new Set(elements)

  for (const element of elements) {
    const kids = kidsOf(graph, element)
    const left = kids.filter((kid) => !isAmong(graph, kid, doomed)).length
    kidsLeft.set(element, left)
    if (left === 0 && kids.length > 0) emptied.push(element)
  }
  for (let element = emptied.pop(); element; element = emptied.pop()) {
    if (doomed.has(element)) continue
    doomed.add(element)
    const parent = graph.resolve(element.get('P'))
    if (!(parent instanceof PdfDictionary) || !parents.has(parent)) continue
    const left = (kidsLeft.get(parent) ?? 0) - 1
    kidsLeft.set(parent, left)
    if (left === 0) emptied.push(parent)
  }
}

function kidsOf(graph: ObjectGraph, element: PdfDictionary): PdfObject[] {
  const kids = graph.resolve(element.get('K'))
  if (Array.isArray(kids)) return kids
  return kids === null ? [] : [kids]
}

function dropFrom(
  graph: ObjectGraph,
  root: PdfObject,
  doomed: ReadonlySet<PdfDictionary>,
  keepPlaces: ReadonlySet<PdfObject>,
): void {
  walkDirect(root, (object, { under }) => {
    if (Array.isArray(object)) {
      dropFromArray(graph, object, doomed, !keepPlaces.has(object) && isList(object, under))
    }
    const dictionary = dictionaryOf(object)
    if (!dictionary) return
    for (const [key, value] of dictionary) {
      if (isAmong(graph, value, doomed)) dictionary.delete(key)
    }
  })
}

function dropFromArray(
  graph: ObjectGraph,
  array: PdfObject[],
  doomed: ReadonlySet<PdfDictionary>,
  closesUp: boolean,
): void {
  if (!array.some((item) => isAmong(graph, item, doomed))) return
  const kept = closesUp
    ? array.filter((item) => !isAmong(graph, item, doomed))
    : array.map((item) => (isAmong(graph, item, doomed) ? null : item))
  for (const [index, item] of kept.entries()) array[index] = item
  array.length = kept.length
}

/** In a list items close up; in pairs (name trees, number trees) and destinations the places have to stay. */
function isList(array: readonly PdfObject[], under: string | null): boolean {
  return under === 'K' || array.every((item) => item === null || isContainer(item))
}

function isContainer(object: PdfObject): boolean {
  return object instanceof PdfReference || object instanceof PdfDictionary
}

function isAmong(
  graph: ObjectGraph,
  object: PdfObject | undefined,
  dictionaries: ReadonlySet<PdfDictionary>,
): boolean {
  if (!(object instanceof PdfReference) && !(object instanceof PdfDictionary)) return false
  const dictionary = dictionaryOf(graph.resolve(object))
  return dictionary !== null && dictionaries.has(dictionary)
}
