import { decodeStream } from '../pdf/filter/decode-stream.ts'
import { readXml } from '../pdf/metadata/xml.ts'
import { isName, PdfDictionary, type PdfObject, PdfReference, PdfStream } from '../pdf/object.ts'
import type { ObjectGraph } from '../pdf/object-graph.ts'
import { walkReachable } from '../pdf/reachable.ts'
import type { ChangeKind } from './change.ts'
import { catalogsOf, type ComparedDocuments, numberOf, unitedKeys } from './compared-documents.ts'

/** The catalog (ISO 32000-2, 7.7.2) but for the pages, the form and the structure tree. */
export function catalogChanges(documents: ComparedDocuments): void {
  const [earlier, later] = catalogsOf(documents)
  const holder = numberOf(documents.after.trailer.get('Root'))
  for (const key of unitedKeys(earlier, later)) {
    if (comparedApart.has(key)) continue
    if (key === 'Names') {
      nameChanges(documents, earlier, later, holder)
      continue
    }
    if (key === 'Perms') {
      permissionChanges(documents, earlier, later, holder)
      continue
    }
    const role = key === 'Outlines' ? 'outline' : null
    const difference = documents.difference(earlier.get(key), later.get(key), holder, role)
    if (difference === null) continue
    const kind = entryKind(documents, key, earlier.get(key), later.get(key))
    documents.add(kind, { object: difference.object })
  }
}

/** The trailer (7.5.5): entries that no reader knows may still hold what a page shows. */
export function trailerChanges(documents: ComparedDocuments): void {
  const { before, after } = documents
  for (const [key, value] of before.trailer) {
    if (trailerKeys.has(key)) continue
    const difference = documents.difference(value, after.trailer.get(key), null)
    if (difference !== null && after.trailer.has(key))
      documents.add('other', { object: difference.object })
  }
  if (documents.difference(before.trailer.get('Info'), after.trailer.get('Info'), null) !== null)
    documents.add('metadata', { object: numberOf(after.trailer.get('Info')) })
}

/** Table 15, and of a cross-reference stream table 17; `/Info` has its own kind. */
const trailerKeys: ReadonlySet<string> = new Set([
  'Root',
  'Info',
  'ID',
  'Size',
  'Prev',
  'XRefStm',
  'Type',
  'Length',
  'Filter',
  'DecodeParms',
  'W',
  'Index',
  'DL',
  // LibreOffice: the document that the PDF was made from.
  'AdditionalStreams',
  'DocChecksum',
])

const comparedApart: ReadonlySet<string> = new Set(['Type', 'Pages', 'AcroForm', 'StructTreeRoot'])

const kindsByKey: ReadonlyMap<string, ChangeKind> = new Map([
  ['Extensions', 'validation-data'],
  ['Version', 'validation-data'],
  ['MarkInfo', 'metadata'],
  ['PieceInfo', 'metadata'],
  ['ViewerPreferences', 'metadata'],
  ['Legal', 'metadata'],
  ['LastModified', 'metadata'],
  ['OCProperties', 'visibility'],
  ['AF', 'active-content'],
  ['Collection', 'active-content'],
])

/** What a reader is led by, beside the pages. */
const navigationKeys: ReadonlySet<string> = new Set([
  'Outlines',
  'PageLabels',
  'PageMode',
  'PageLayout',
  'Dests',
  'Threads',
  'Lang',
  'URI',
  'SpiderInfo',
  'OutputIntents',
  'Requirements',
  'NeedsRendering',
  'DPartRoot',
])

function entryKind(
  documents: ComparedDocuments,
  key: string,
  earlier: PdfObject | undefined,
  later: PdfObject | undefined,
): ChangeKind {
  const { after } = documents
  const value = after.resolve(later)
  // What a later signature may rely on is only added to.
  if (key === 'DSS') return value === null ? 'other' : 'validation-data'
  if (key === 'Metadata') return metadataKind(after, value)
  if (key === 'OpenAction') return isMove(value) ? 'structure' : 'active-content'
  if (key === 'AA') return value === null ? 'structure' : 'active-content'
  if (key === 'OCProperties' && hasOwnLayersOnly(documents, earlier, value)) return 'metadata'
  const known = kindsByKey.get(key)
  if (known === 'active-content' && value === null) return 'structure'
  if (known !== undefined) return known
  return navigationKeys.has(key) || earlier === undefined ? 'structure' : 'other'
}

/** Layers that came with the update, for what it added, where there were none: they hide nothing that was there. */
function hasOwnLayersOnly(
  { before, after }: ComparedDocuments,
  earlier: PdfObject | undefined,
  later: PdfObject,
): boolean {
  if (earlier !== undefined) return false
  return [...walkReachable(after, {}, [later])].every((number) => !before.has(number))
}

/** Metadata is XML (14.3.2); what else is put there is no update of it. */
function metadataKind(graph: ObjectGraph, value: PdfObject): ChangeKind {
  const bytes = value instanceof PdfStream ? decodeStream(graph, value) : null
  return bytes !== null && readXml(bytes) !== null ? 'metadata' : 'structure'
}

/** A destination, or an action that goes to a page or changes the view. */
function isMove(action: PdfObject): boolean {
  if (!(action instanceof PdfDictionary)) return true
  if (action.has('Next')) return false
  return isName(action.get('S'), 'GoTo') || isName(action.get('S'), 'Named')
}

const activeNames: ReadonlySet<string> = new Set([
  'JavaScript',
  'EmbeddedFiles',
  'AlternatePresentations',
  'Renditions',
])

function nameChanges(
  documents: ComparedDocuments,
  earlierCatalog: PdfDictionary,
  laterCatalog: PdfDictionary,
  holder: number | null,
): void {
  const { before, after } = documents
  const left = before.resolve(earlierCatalog.get('Names'))
  const right = after.resolve(laterCatalog.get('Names'))
  const earlier = left instanceof PdfDictionary ? left : new PdfDictionary()
  const later = right instanceof PdfDictionary ? right : new PdfDictionary()
  for (const key of unitedKeys(earlier, later)) {
    const difference = documents.entryDifference(earlier, later, key, holder)
    if (difference === null) continue
    const appears = after.resolve(later.get(key)) !== null
    const kind = activeNames.has(key) && appears ? 'active-content' : 'structure'
    documents.add(kind, { object: difference.object })
  }
}

/** Permissions that a certifying signature gave stay; rights that the maker of a viewer gave may go (12.8.6). */
function permissionChanges(
  documents: ComparedDocuments,
  earlierCatalog: PdfDictionary,
  laterCatalog: PdfDictionary,
  holder: number | null,
): void {
  const { before, after } = documents
  const left = before.resolve(earlierCatalog.get('Perms'))
  const right = after.resolve(laterCatalog.get('Perms'))
  const earlier = left instanceof PdfDictionary ? left.get('DocMDP') : undefined
  const later = right instanceof PdfDictionary ? right.get('DocMDP') : undefined
  if (earlier === undefined) {
    if (later !== undefined) documents.add('signing', { object: holder })
    return
  }
  const isSameNumber =
    earlier instanceof PdfReference &&
    later instanceof PdfReference &&
    earlier.number === later.number
  // The value under that number is compared with the field that has it.
  if (!isSameNumber && documents.difference(earlier, later, holder) !== null)
    documents.add('signature-altered', { object: holder })
}
