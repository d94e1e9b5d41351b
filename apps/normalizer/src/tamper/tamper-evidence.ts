import { PdfDictionary, PdfName, type PdfObject, PdfStream, PdfString } from '../pdf/object.ts'
import { listPages, type PdfPage } from '../pdf/page-tree.ts'
import type { PdfFile } from '../pdf/pdf-file.ts'
import { type SignatureValue, signatureValues } from '../pdf/form/signature-field.ts'
import { type RedirectedEntry, redirectedEntries } from './redirected-entry.ts'
import { type PageParts, partsOf } from './shown-object.ts'

/** What several rules ask of a file, found once. */
export interface TamperEvidence {
  readonly file: PdfFile
  /** Live dictionaries with `/ByteRange` and `/Contents` (ISO 32000-2, 12.8.1), usage rights among them. */
  readonly signatures: readonly SignatureDictionary[]
  /** What signs the document; usage rights, which tools leave stale when they save a file anew, do not. */
  readonly signatureValues: readonly SignatureValue[]
  /** Whether there is any of them. */
  readonly signed: boolean
  readonly redirectedEntries: readonly RedirectedEntry[]
  /**
   * Whether the offsets of the file are right but for some. Where they are wrong throughout it was changed in transit or
   * by hand, and neither lengths nor entries tell what anyone meant.
   */
  readonly offsetsHold: boolean
  readonly pages: readonly PdfPage[]
  readonly parts: PageParts
  /** Numbers of all live catalogs, page tree nodes and pages, whether or not the document uses them. */
  readonly pageNodes: readonly number[]
  /** Numbers of dictionaries and streams with a key that stands more than once with different values. */
  readonly repeatedKeys: readonly number[]
}

interface SignatureDictionary {
  /** The numbered object that it is or that has it as its `/V`. */
  readonly number: number
  readonly dictionary: PdfDictionary
}

/** Looks at every live object: a signature that no field knows is a finding, too. */
export function gatherEvidence(file: PdfFile): TamperEvidence {
  const { graph } = file
  const pages = listPages(graph)
  const parts = partsOf(graph, pages)
  const redirected = redirectedEntries(file, parts)
  const values = signatureValues(graph, file.bytes)
  const signatures = new Map<PdfDictionary, SignatureDictionary>()
  const repeatedKeys: number[] = []
  const pageNodes: number[] = []
  for (const number of graph.numbers()) {
    const object = graph.get(number)
    const isStream = object instanceof PdfStream
    const dictionary = isStream ? object.dictionary : object
    if (!(dictionary instanceof PdfDictionary)) continue
    const type = dictionary.get('Type')
    if (type instanceof PdfName && nodeTypes.has(type.value)) pageNodes.push(number)
    if (dictionary.duplicateKeys !== undefined) repeatedKeys.push(number)
    for (const candidate of [dictionary, dictionary.get('V')]) {
      if (!(candidate instanceof PdfDictionary) || signatures.has(candidate)) continue
      if (isSignature(file, candidate)) signatures.set(candidate, { number, dictionary: candidate })
    }
  }
  return {
    file,
    signatures: [...signatures.values()],
    signatureValues: values,
    signed: values.length > 0,
    redirectedEntries: redirected,
    offsetsHold: doOffsetsHold(file, redirected.length),
    pages,
    parts,
    pageNodes,
    repeatedKeys,
  }
}

function doOffsetsHold({ sections, repairs }: PdfFile, redirected: number): boolean {
  if (sections.length === 0 || repairs.brokenChain) return false
  return repairs.mismatchedEntries.length === redirected
}

const nodeTypes = new Set(['Catalog', 'Pages', 'Page'])

/** ISO 32000-2, 12.8.1. */
function isSignature({ graph }: PdfFile, dictionary: PdfDictionary): boolean {
  if (!dictionary.has('ByteRange')) return false
  const value = (key: string): PdfObject => graph.resolve(dictionary.get(key))
  return Array.isArray(value('ByteRange')) && value('Contents') instanceof PdfString
}
