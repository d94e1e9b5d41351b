import { documentCatalog } from '../pdf/catalog.ts'
import { dropObjects } from '../pdf/drop-objects.ts'
import { PdfDictionary, PdfString } from '../pdf/object.ts'
import type { ObjectGraph } from '../pdf/object-graph.ts'
import { signatureFields } from '../pdf/form/signature-field.ts'

/**
 * Takes the signatures out and all that speaks of them: values, `/SigFlags`, `/Perms` (usage rights too, which no
 * rewrite survives) and the store of validation material `/DSS` (trust, 2.7). The fields stay, for their
 * appearances are flattened with those of the others.
 */
export function removeSignatures(graph: ObjectGraph): void {
  for (const { valueHolder } of signatureFields(graph)) valueHolder?.dictionary.delete('V')
  const catalog = documentCatalog(graph)
  catalog.delete('Perms')
  catalog.delete('DSS')
  const form = graph.resolve(catalog.get('AcroForm'))
  if (form instanceof PdfDictionary) form.delete('SigFlags')
}

/** Takes out signatures that no field holds, and what refers to them: in a file written anew they would be orphans. */
export function removeStraySignatures(graph: ObjectGraph): void {
  const stray = new Set<PdfDictionary>()
  for (const number of graph.numbers()) {
    const value = graph.get(number)
    if (!(value instanceof PdfDictionary) || !value.has('ByteRange')) continue
    if (graph.resolve(value.get('Contents')) instanceof PdfString) stray.add(value)
  }
  dropObjects(graph, stray)
}
