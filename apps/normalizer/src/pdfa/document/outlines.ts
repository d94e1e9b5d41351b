import { documentCatalog } from '../../pdf/catalog.ts'
import type { PdfDictionary } from '../../pdf/object.ts'
import type { Place } from '../failures.ts'
import type { Validation } from '../validation.ts'
import type { ActionChecks } from './actions.ts'
import { dictionaryAt, placeOf } from './entry.ts'

/** The actions of outline items (ISO 32000-2, 12.3.3), of each once. */
export function checkOutlines(
  { graph }: Validation,
  actions: ActionChecks,
  catalogPlace: Place,
): void {
  const reference = documentCatalog(graph).get('Outlines')
  const outlines = dictionaryAt(graph, reference)
  if (outlines === null) return
  const seen = new Set<PdfDictionary>()
  const pending = [{ item: outlines.get('First'), holder: placeOf(reference, catalogPlace) }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const dictionary = dictionaryAt(graph, next.item)
    if (dictionary === null || seen.has(dictionary)) continue
    seen.add(dictionary)
    const place = placeOf(next.item, next.holder)
    actions.check(dictionary.get('A'), place)
    for (const key of ['Next', 'First']) pending.push({ item: dictionary.get(key), holder: place })
  }
}
