import { documentCatalog } from '../../pdf/catalog.ts'
import { decodeStream } from '../../pdf/filter/decode-stream.ts'
import { PdfStream } from '../../pdf/object.ts'
import type { ObjectGraph } from '../../pdf/object-graph.ts'
import { dictionaryAt, itemsAt, nameAt } from './entry.ts'

/** The colour space of the document's PDF/A output intent, as its profile spells it (`RGB `, `CMYK`, …); the last counts. */
export function outputColourSpace(graph: ObjectGraph): string | null {
  const intents = itemsAt(graph, documentCatalog(graph).get('OutputIntents'))
  for (const item of intents.toReversed()) {
    const intent = dictionaryAt(graph, item)
    if (intent === null || nameAt(graph, intent.get('S')) !== 'GTS_PDFA1') continue
    const profile = graph.resolve(intent.get('DestOutputProfile'))
    const bytes = profile instanceof PdfStream ? decodeStream(graph, profile) : null
    // ICC.1:2010, table 17.
    if (bytes !== null && bytes.length >= 20)
      return Buffer.from(bytes.subarray(16, 20)).toString('latin1')
  }
  return null
}
