import { PdfDictionary, type PdfObject, PdfReference, PdfStream } from '../pdf/object.ts'
import type { ObjectGraph } from '../pdf/object-graph.ts'
import { walkDirect } from '../pdf/walk-direct.ts'
import type { ComparedDocuments } from './compared-documents.ts'

/**
 * Appearances that an update replaced and that something other than annotations refers to, be it an entry that no
 * reader knows: whoever prepared the document had a second use for them, and replacing them is not filling in a form.
 */
export function sharedAppearances(documents: ComparedDocuments): void {
  const replaced = replacedAppearances(documents)
  if (replaced.size === 0) return
  const { before } = documents
  const owners = appearanceOwners(before)
  const report = (part: PdfObject): void => {
    if (part instanceof PdfReference && replaced.has(part.number))
      documents.add('other', { object: part.number })
  }

  for (const number of before.numbers()) {
    const object = before.get(number)
    if (owners.has(number)) continue
    const dictionary = object instanceof PdfStream ? object.dictionary : object
    if (dictionary instanceof PdfDictionary && dictionary.has('AP')) {
      for (const [key, value] of dictionary) if (key !== 'AP') walkDirect(value, report)
    } else walkDirect(object, report)
  }
  for (const [key, value] of before.trailer) if (key !== 'Root') walkDirect(value, report)
}

/** The numbers of the appearance dictionaries and streams that widgets had and no longer have, or have otherwise. */
function replacedAppearances({
  before,
  pair,
  earlierNodes,
  laterNodes,
}: ComparedDocuments): Set<number> {
  const replaced = new Set<number>()
  for (const [key, { dictionary }] of earlierNodes) {
    const later = laterNodes.get(key)?.dictionary
    if (later === undefined || later === dictionary) continue
    const kept = new Set(referencedNumbers(before, later.get('AP')))
    for (const number of referencedNumbers(before, dictionary.get('AP')))
      if (!kept.has(number) || pair.touched?.has(number) === true) replaced.add(number)
  }
  return replaced
}

/** Objects that are nothing but a part of an annotation's `/AP`. */
function appearanceOwners(graph: ObjectGraph): Set<number> {
  const owners = new Set<number>()
  for (const number of graph.numbers()) {
    const object = graph.get(number)
    if (!(object instanceof PdfDictionary) || !object.has('AP')) continue
    const appearance = object.get('AP')
    if (appearance instanceof PdfReference) owners.add(appearance.number)
    const states = graph.resolve(appearance)
    if (!(states instanceof PdfDictionary)) continue
    for (const state of states.values()) {
      if (state instanceof PdfReference && graph.get(state.number) instanceof PdfDictionary)
        owners.add(state.number)
    }
  }
  return owners
}

function referencedNumbers(graph: ObjectGraph, appearance: PdfObject | undefined): number[] {
  const numbers: number[] = []
  const take = (object: PdfObject | undefined): PdfObject => {
    if (object instanceof PdfReference) numbers.push(object.number)
    return graph.resolve(object)
  }
  const states = take(appearance)
  if (!(states instanceof PdfDictionary)) return numbers
  for (const state of states.values()) {
    const streams = take(state)
    if (!(streams instanceof PdfDictionary)) continue
    for (const stream of streams.values()) take(stream)
  }
  return numbers
}
