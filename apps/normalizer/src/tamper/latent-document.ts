import { documentCatalog } from '../pdf/catalog.ts'
import { isName, PdfDictionary, PdfReference } from '../pdf/object.ts'
import { listPages } from '../pdf/page-tree.ts'
import type { PdfFile } from '../pdf/pdf-file.ts'
import { walkReachable } from '../pdf/reachable.ts'
import { MalformedPdfError, ResourceLimitError } from '../pdf/reading/read-limits.ts'
import { readPdf } from '../pdf/reading/read-pdf.ts'
import type { Anomaly } from './anomaly.ts'
import { objectLocation } from './object-location.ts'
import { partsOf } from './shown-object.ts'
import type { TamperEvidence } from './tamper-evidence.ts'

/**
 * Catalogs, page trees and pages that are live and that nothing leads to: a second document that lies ready for an
 * update which only has to lead there (rule S4). Of what lies within another of them only the outermost is told.
 */
export function latentDocument(evidence: TamperEvidence): Anomaly[] {
  const candidates = latentParts(evidence)
  if (candidates.size === 0) return []
  const { file, signed } = evidence
  const reached = walkReachable(file.graph, {})
  const unreached = new Map([...candidates].filter(([number]) => !reached.has(number)))
  if (unreached.size > 0) for (const number of supersededParts(file)) unreached.delete(number)
  const outermost = [...unreached].filter(([, { parent }]) => !unreached.has(parent))
  const latentTrees = new Set(
    outermost.flatMap(([, { kind, pages }]) => (kind === 'Catalog' ? [pages] : [])),
  )
  return outermost.flatMap(([number, { kind }]) => {
    if (kind === 'Pages' && latentTrees.has(number)) return []
    return [
      {
        type: 'SHADOW_CONTENT_DETECTED',
        severity: signed ? 'medium' : 'low',
        description: descriptions[kind],
        location: objectLocation(file, number),
      },
    ]
  })
}

const descriptions = {
  Catalog: 'A second catalog with pages of its own stands ready, and nothing leads to it.',
  Pages: 'A second page tree stands ready, and nothing leads to it.',
  Page: 'A page stands ready that is in no page tree.',
} as const

interface LatentPart {
  readonly kind: keyof typeof descriptions
  /** The number of the node that it says it belongs to, and of the tree that a catalog has; -1 for none. */
  readonly parent: number
  readonly pages: number
}

/** Those that are complete and that the document's own tree does not have. */
function latentParts({ file, parts, pageNodes }: TamperEvidence): Map<number, LatentPart> {
  const { graph } = file
  const found = new Map<number, LatentPart>()
  const own = documentCatalog(graph)
  for (const number of pageNodes) {
    if (parts.structure.has(number)) continue
    const node = graph.get(number)
    if (!(node instanceof PdfDictionary) || node === own) continue
    const numberAt = (key: string): number => {
      const reference = node.get(key)
      return reference instanceof PdfReference ? reference.number : -1
    }
    const type = graph.resolve(node.get('Type'))
    const has = (key: string): boolean => graph.resolve(node.get(key)) !== null
    const part = { parent: numberAt('Parent'), pages: numberAt('Pages') }
    // A catalog that was copied has the same pages as the document.
    const isSecond = has('Pages') && !parts.structure.has(part.pages)
    if (isName(type, 'Catalog') && isSecond) found.set(number, { kind: 'Catalog', ...part })
    if (isName(type, 'Pages') && has('Kids')) found.set(number, { kind: 'Pages', ...part })
    if (isName(type, 'Page') && has('Contents')) found.set(number, { kind: 'Page', ...part })
  }
  return found
}

/** Each is read once more, so only so many are. */
const maxEarlierDocuments = 4

/** What earlier saves showed, and a later one left lying when it took it out of the document. */
function supersededParts(file: PdfFile): number[] {
  return file.revisions.slice(-1 - maxEarlierDocuments, -1).flatMap(({ end }) => {
    try {
      const { graph } = readPdf(file.bytes.subarray(0, end))
      return [...partsOf(graph, listPages(graph)).structure.keys()]
    } catch (error) {
      if (error instanceof MalformedPdfError || error instanceof ResourceLimitError) return []
      throw error
    }
  })
}
