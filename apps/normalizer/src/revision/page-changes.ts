import { documentCatalog } from '../pdf/catalog.ts'
import { decodeStream } from '../pdf/filter/decode-stream.ts'
import { PdfDictionary, type PdfObject, PdfReference, PdfStream } from '../pdf/object.ts'
import type { ObjectGraph } from '../pdf/object-graph.ts'
import { inheritedAttribute, maxPageTreeDepth, type PdfPage } from '../pdf/page-tree.ts'
import { defaultReadLimits, ResourceLimitError } from '../pdf/reading/read-limits.ts'
import { annotationChanges } from './annotation-changes.ts'
import type { ChangeKind } from './change.ts'
import { type ComparedDocuments, unitedKeys } from './compared-documents.ts'
import { contentDigest } from './content-tokens.ts'

/** What pages there are, and what each paints; its annotations too. */
export function pageChanges(documents: ComparedDocuments): void {
  const { earlierPages, laterPages } = documents
  const laterIndexes = new Map(laterPages.map((page, index) => [pageKey(page, index), index]))
  let highest = -1
  for (const [index, earlier] of earlierPages.entries()) {
    const laterIndex = laterIndexes.get(pageKey(earlier, index))
    const later = laterIndex === undefined ? undefined : laterPages[laterIndex]
    const where = { object: earlier.reference?.number ?? null, page: index + 1 }
    if (laterIndex === undefined || later === undefined) {
      documents.add('content', where)
      continue
    }
    // Pages that follow one another in another order.
    if (laterIndex < highest) documents.add('content', where)
    highest = Math.max(highest, laterIndex)
    comparePage(documents, earlier, later, index)
  }

  const earlierKeys = new Set(earlierPages.map(pageKey))
  for (const [index, page] of laterPages.entries()) {
    if (earlierKeys.has(pageKey(page, index))) continue
    documents.add('content', { object: page.reference?.number ?? null, page: index + 1 })
  }
  repeatedPages(documents)
}

/** Pages, and nodes with pages, that the tree names more often than before, or less: each time they are shown. */
function repeatedPages(documents: ComparedDocuments): void {
  const [earlier, later] = [timesNamed(documents.before), timesNamed(documents.after)]
  for (const [number, times] of later) {
    const timesBefore = earlier.get(number) ?? 0
    if (Math.max(times, timesBefore) > 1 && times !== timesBefore)
      documents.add('content', { object: number })
  }
}

/** How often the page tree names each of its nodes as a kid; the kids of a node are counted once. */
function timesNamed(graph: ObjectGraph): Map<number, number> {
  const times = new Map<number, number>()
  const seen = new Set<PdfDictionary>()
  const pending = [documentCatalog(graph).get('Pages') ?? null]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const node = graph.resolve(next)
    if (!(node instanceof PdfDictionary) || seen.has(node)) continue
    seen.add(node)
    const kids = graph.resolve(node.get('Kids'))
    if (!Array.isArray(kids)) continue
    for (const kid of kids) {
      if (kid instanceof PdfReference) times.set(kid.number, (times.get(kid.number) ?? 0) + 1)
      pending.push(kid)
    }
  }
  return times
}

/** A page is the same page as long as it keeps its number. */
function pageKey({ reference }: PdfPage, index: number): string {
  return reference === null ? `direct ${index}` : String(reference.number)
}

const inheritable = ['Resources', 'MediaBox', 'CropBox', 'Rotate'] as const

/** Kept apart, or nothing that anyone is shown (ISO 32000-2, table 31). */
const passedOver: ReadonlySet<string> = new Set([
  ...inheritable,
  'Type',
  'Parent',
  'Contents',
  'Annots',
  'AA',
  'Metadata',
  'PieceInfo',
  'LastModified',
  'StructParents',
  'Tabs',
  'Thumb',
  'ID',
])

function comparePage(
  documents: ComparedDocuments,
  earlier: PdfPage,
  later: PdfPage,
  index: number,
): void {
  const { before, after } = documents
  const holder = later.reference?.number ?? null
  const page = index + 1

  for (const key of inheritable) {
    for (const attribute of [inheritedAttribute, attributeOfParents]) {
      const [left, right] = [attribute(before, earlier, key), attribute(after, later, key)]
      const role = key === 'Resources' ? 'resources' : null
      const difference = documents.difference(left, right, holder, role)
      // No rotation is what its absence says.
      if (difference === null || (key === 'Rotate' && (left ?? 0) === (right ?? 0))) continue
      documents.add('content', { object: difference.object, page })
    }
  }
  const contents = documents.entryDifference(
    earlier.dictionary,
    later.dictionary,
    'Contents',
    holder,
  )
  if (contents !== null && !paintsTheSame(documents, earlier, later))
    documents.add('content', { object: contents.object, page })

  for (const key of unitedKeys(earlier.dictionary, later.dictionary)) {
    if (passedOver.has(key)) continue
    const difference = documents.entryDifference(earlier.dictionary, later.dictionary, key, holder)
    if (difference === null) continue
    documents.add(kindOf(key), { object: difference.object, page })
  }
  const actions = documents.entryDifference(earlier.dictionary, later.dictionary, 'AA', holder)
  if (actions !== null && after.resolve(later.dictionary.get('AA')) !== null)
    documents.add('active-content', { object: actions.object, page })

  annotationChanges(documents, earlier, later, index)
}

function kindOf(key: string): ChangeKind {
  if (key === 'AF') return 'active-content'
  return shownKeys.has(key) ? 'content' : 'structure'
}

/** What decides how a page looks. */
const shownKeys: ReadonlySet<string> = new Set([
  'BleedBox',
  'TrimBox',
  'ArtBox',
  'Group',
  'UserUnit',
  'VP',
  'BoxColorInfo',
  'OutputIntents',
])

/** The same by way of `/Parent`: readers that come from the page inherit what stands there. */
function attributeOfParents(graph: ObjectGraph, page: PdfPage, key: string): PdfObject {
  let node: PdfObject = page.dictionary
  for (let depth = 0; depth <= maxPageTreeDepth && node instanceof PdfDictionary; depth++) {
    const value = graph.resolve(node.get(key))
    if (value !== null) return value
    node = graph.resolve(node.get('Parent'))
  }
  return null
}

function paintsTheSame(
  { before, after, budget }: ComparedDocuments,
  earlier: PdfPage,
  later: PdfPage,
): boolean {
  const left = contentParts(before, earlier.dictionary)
  const right = contentParts(after, later.dictionary)
  if (left === null || right === null) return false
  for (const part of [...left, ...right]) budget.chargeTokens(part.length)
  return contentDigest(left) === contentDigest(right)
}

/**
 * The decoded content streams of a page; null when one of them cannot be decoded, or is referred to by a generation
 * that it has not: readers differ in what they make of it.
 *
 * @throws {ResourceLimitError} when they come to more than a stream may hold: one may be named many times
 */
export function contentParts(graph: ObjectGraph, page: PdfDictionary): Uint8Array[] | null {
  const entry = page.get('Contents') ?? null
  const contents = graph.resolve(entry)
  const { maxStreamBytes } = defaultReadLimits
  const parts: Uint8Array[] = []
  let length = 0
  for (const item of Array.isArray(contents) ? contents : [entry]) {
    if (item instanceof PdfReference && graph.generation(item.number) !== item.generation)
      return null
    const stream = graph.resolve(item)
    if (!(stream instanceof PdfStream)) continue
    const bytes = decodeStream(graph, stream)
    if (bytes === null) return null
    length += bytes.length + 1
    if (length > maxStreamBytes)
      throw new ResourceLimitError(`A page's content comes to more than ${maxStreamBytes} bytes`)
    parts.push(bytes)
  }
  return parts
}
