import { PdfDictionary, PdfName, type PdfObject, PdfReference } from '../pdf/object.ts'
import type { ObjectGraph } from '../pdf/object-graph.ts'
import { catalogsOf, type ComparedDocuments, numberOf, unitedKeys } from './compared-documents.ts'

/**
 * The structure tree (ISO 32000-2, 14.7). New elements, as signing software adds them for its widgets, are metadata;
 * elements that were there and say something else are a change. Only what updates touched is looked at.
 */
export function structureChanges(documents: ComparedDocuments): void {
  const { before, after } = documents
  const [earlierCatalog, laterCatalog] = catalogsOf(documents)
  const entry = laterCatalog.get('StructTreeRoot')
  const earlier = before.resolve(earlierCatalog.get('StructTreeRoot'))
  const later = after.resolve(entry)
  if (!(earlier instanceof PdfDictionary)) {
    if (later !== null) documents.add('metadata', { object: numberOf(entry) })
    return
  }
  if (!(later instanceof PdfDictionary)) {
    documents.add('structure', { object: numberOf(earlierCatalog.get('StructTreeRoot')) })
    return
  }
  compareElements(documents, earlier, later, numberOf(entry))

  for (const number of documents.pair.touched ?? before.numbers()) {
    const element = before.get(number)
    if (!(element instanceof PdfDictionary) || !isElement(element)) continue
    const now = after.get(number)
    if (now instanceof PdfDictionary) compareElements(documents, element, now, number)
    else documents.add('structure', { object: number })
  }
}

function isElement(dictionary: PdfDictionary): boolean {
  const type = dictionary.get('Type')
  if (type instanceof PdfName) return type.value === 'StructElem'
  return dictionary.has('S') && dictionary.has('P') && dictionary.has('K')
}

/** Where an element hangs, and tables that are only there to find elements. */
const passedOver: ReadonlySet<string> = new Set([
  'Type',
  'P',
  'K',
  'ParentTree',
  'ParentTreeNextKey',
  'IDTree',
  'Namespaces',
])

function compareElements(
  documents: ComparedDocuments,
  earlier: PdfDictionary,
  later: PdfDictionary,
  number: number | null,
): void {
  if (earlier === later) return
  for (const key of unitedKeys(earlier, later)) {
    if (passedOver.has(key) || !earlier.has(key)) continue
    const difference = documents.entryDifference(earlier, later, key, number)
    if (difference !== null) documents.add('structure', { object: difference.object })
  }
  if (!keepsKids(documents, earlier, later)) documents.add('structure', { object: number })
  else documents.add('metadata', { object: number })
}

/** Whether every kid of before is one of after. */
function keepsKids(
  documents: ComparedDocuments,
  earlier: PdfDictionary,
  later: PdfDictionary,
): boolean {
  const kept = kidsOf(documents.after, later)
  const numbers = new Set(kept.map(numberOf))
  const others = kept.filter((kid) => !(kid instanceof PdfReference))
  const budget = 10_000
  if (others.length > budget) return false
  return kidsOf(documents.before, earlier).every((kid, index) => {
    if (kid instanceof PdfReference) return numbers.has(kid.number)
    const sameplace = others[index]
    if (sameplace !== undefined && documents.difference(kid, sameplace, null) === null) return true
    return others.slice(0, 100).some((other) => documents.difference(kid, other, null) === null)
  })
}

function kidsOf(graph: ObjectGraph, element: PdfDictionary): PdfObject[] {
  const kids = element.get('K')
  if (kids === undefined) return []
  const value = graph.resolve(kids)
  return Array.isArray(value) ? value : [kids]
}
