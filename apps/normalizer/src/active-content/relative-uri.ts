import { documentCatalog } from '../pdf/catalog.ts'
import { isName, PdfDictionary, PdfString } from '../pdf/object.ts'
import type { ObjectGraph } from '../pdf/object-graph.ts'
import { decodeTextString } from '../pdf/text-string.ts'
import { dictionaryOf, walkDirect } from '../pdf/walk-direct.ts'
import { judgeUri } from './inventory.ts'

/** A URI action and where it leads with the document's base. */
export interface ResolvedLink {
  readonly action: PdfDictionary
  /** Absolute, in ASCII. */
  readonly uri: string
}

/**
 * Links that are relative to the catalog's `/URI /Base` (ISO 32000-2, 12.6.4.8). The base goes, and they would lead nowhere
 * without it. Only a base in the web counts.
 */
export function linksRelativeToBase(graph: ObjectGraph): ResolvedLink[] {
  const uris = graph.resolve(documentCatalog(graph).get('URI'))
  const base = uris instanceof PdfDictionary ? graph.resolve(uris.get('Base')) : null
  if (!(base instanceof PdfString)) return []
  const address = decodeTextString(base)
  if (judgeUri(address) !== 'kept' || !URL.canParse(address)) return []

  const links: ResolvedLink[] = []
  for (const number of graph.numbers()) {
    walkDirect(graph.get(number), (object) => {
      const action = dictionaryOf(object)
      if (!action || !isName(graph.resolve(action.get('S')), 'URI')) return
      const uri = graph.resolve(action.get('URI'))
      if (!(uri instanceof PdfString)) return
      const relative = decodeTextString(uri)
      if (URL.canParse(relative) || !URL.canParse(relative, address)) return
      const { href } = new URL(relative, address)
      if (judgeUri(relative) === 'kept' && judgeUri(href) === 'kept')
        links.push({ action, uri: href })
    })
  }
  return links
}
