import { documentCatalog } from '../pdf/catalog.ts'
import { decodeStream } from '../pdf/filter/decode-stream.ts'
import { PdfDictionary, type PdfObject, PdfStream } from '../pdf/object.ts'
import type { ObjectGraph } from '../pdf/object-graph.ts'

/** DER as it stands in the streams of `/DSS` (ISO 32000-2, 12.8.4.3). */
export interface SecurityStore {
  readonly certificates: readonly Uint8Array[]
  readonly revocationLists: readonly Uint8Array[]
  readonly ocspResponses: readonly Uint8Array[]
}

/**
 * Reads `/DSS` with the parts for single signatures in its `/VRI`.
 *
 * @param maxOfEachKind streams of one kind that are read; the rest is left
 */
export function readSecurityStore(graph: ObjectGraph, maxOfEachKind: number): SecurityStore {
  const store = graph.resolve(documentCatalog(graph).get('DSS'))
  if (!(store instanceof PdfDictionary)) {
    return { certificates: [], revocationLists: [], ocspResponses: [] }
  }
  const related = graph.resolve(store.get('VRI'))
  const parts = related instanceof PdfDictionary ? [...related.values()] : []
  const holders = parts
    .map((part) => graph.resolve(part))
    .filter((part) => part instanceof PdfDictionary)
  const read = (key: string, relatedKey: string): Uint8Array[] => {
    const lists = [store.get(key), ...holders.map((holder) => holder.get(relatedKey))]
    return streamsOf(graph, lists, maxOfEachKind)
  }
  return {
    certificates: read('Certs', 'Cert'),
    revocationLists: read('CRLs', 'CRL'),
    ocspResponses: read('OCSPs', 'OCSP'),
  }
}

/** Each stream once: `/VRI` mostly repeats what `/DSS` has. */
function streamsOf(
  graph: ObjectGraph,
  lists: readonly (PdfObject | undefined)[],
  most: number,
): Uint8Array[] {
  const streams = new Set<PdfStream>()
  for (const list of lists) {
    const items = graph.resolve(list)
    for (const item of Array.isArray(items) ? items : []) {
      const stream = graph.resolve(item)
      if (stream instanceof PdfStream && streams.size < most) streams.add(stream)
    }
  }
  return [...streams].map((stream) => decodeStream(graph, stream)).filter((data) => data !== null)
}
