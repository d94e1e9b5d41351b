import { PdfDictionary, PdfName, type PdfObject, PdfStream, PdfString } from '../pdf/object.ts'
import { listPages, type PdfPage } from '../pdf/page-tree.ts'
import type { PdfFile } from '../pdf/pdf-file.ts'
import {
  type SignatureField,
  signatureFields,
  type SignatureValue,
  signatureValues,
} from '../pdf/form/signature-field.ts'
import { type RedirectedEntry, redirectedEntries } from './redirected-entry.ts'
import { type PageParts, partsOf } from './shown-object.ts'

/** What several rules ask of a file, found once. */
export interface TamperEvidence {
  readonly file: PdfFile
  /** Live dictionaries with `/ByteRange` and `/Contents` (ISO 32000-2, 12.8.1), usage rights among them. */
  readonly signatures: readonly SignatureDictionary[]
  readonly signatureFields: readonly SignatureField[]
  /** What signs the document; usage rights, which tools leave stale when they save a file anew, do not. */
  readonly signatureValues: readonly SignatureValue[]
  /** Whether there is any of them, or one stands in a save that lost its end. */
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
  const signatures = new Map<PdfDictionary, SignatureDictionary>()
  const repeatedKeys: number[] = []
  const pageNodes: number[] = []
  let hasByteRanges = false
  for (const number of graph.numbers()) {
    const object = graph.get(number)
    const isStream = object instanceof PdfStream
    const dictionary = isStream ? object.dictionary : object
    if (!(dictionary instanceof PdfDictionary)) continue
    const type = dictionary.get('Type')
    if (type instanceof PdfName && nodeTypes.has(type.value)) pageNodes.push(number)
    if (dictionary.duplicateKeys !== undefined) repeatedKeys.push(number)
    for (const candidate of [dictionary, dictionary.get('V')]) {
      if (!(candidate instanceof PdfDictionary) || !candidate.has('ByteRange')) continue
      hasByteRanges = true
      if (signatures.has(candidate) || !isSignature(file, candidate)) continue
      signatures.set(candidate, { number, dictionary: candidate })
    }
  }
  const fields = signatureFields(graph)
  const values = signatureValues(graph, hasByteRanges ? file.bytes : null, fields)
  return {
    file,
    signatures: [...signatures.values()],
    signatureFields: fields,
    signatureValues: values,
    signed: values.length > 0 || lostSignature(file),
    redirectedEntries: redirected,
    offsetsHold: doOffsetsHold(file, redirected.length),
    pages,
    parts,
    pageNodes,
    repeatedKeys,
  }
}

/**
 * Whether a signature stands behind the last section that the file announces. Cutting off its last lines takes a signed
 * file's signature from the readers that believe an earlier section; others mend the file and find it.
 */
function lostSignature({ bytes, sections }: PdfFile): boolean {
  if (sections.length === 0) return false
  const end = sections.reduce((last, section) => Math.max(last, section.end), 0)
  return Buffer.from(bytes.buffer, bytes.byteOffset + end, bytes.length - end).includes(
    '/ByteRange',
  )
}

function doOffsetsHold({ sections, repairs }: PdfFile, redirected: number): boolean {
  if (sections.length === 0 || repairs.brokenChain) return false
  return repairs.mismatchedEntries.length === redirected
}

const nodeTypes = new Set(['Catalog', 'Pages', 'Page'])

/** ISO 32000-2, 12.8.1. */
function isSignature({ graph }: PdfFile, dictionary: PdfDictionary): boolean {
  const value = (key: string): PdfObject => graph.resolve(dictionary.get(key))
  return Array.isArray(value('ByteRange')) && value('Contents') instanceof PdfString
}
