import { isName, PdfDictionary } from '../pdf/object.ts'
import type { ObjectGraph } from '../pdf/object-graph.ts'
import type { PdfPage } from '../pdf/page-tree.ts'
import { activeKinds } from './active-items.ts'
import { type ComparedDocuments, unitedKeys } from './compared-documents.ts'
import { signingKind } from './form-changes.ts'
import { isHidden, type PageAnnotation, pageAnnotations } from './page-annotations.ts'

/** The annotations of one page, as a set: in what order they stand is no matter of the signer's. */
export function annotationChanges(
  documents: ComparedDocuments,
  earlier: PdfPage,
  later: PdfPage,
  pageIndex: number,
): void {
  const before = pageAnnotations(documents.before, earlier)
  const after = pageAnnotations(documents.after, later)
  for (const [key, annotation] of before) {
    const now = after.get(key)
    if (now === undefined) removed(documents, annotation, key, pageIndex)
    else altered(documents, annotation, now, pageIndex)
  }
  for (const [key, annotation] of after)
    if (!before.has(key)) added(documents, annotation, key, pageIndex)
}

function removed(
  documents: ComparedDocuments,
  { object, dictionary }: PageAnnotation,
  key: string,
  pageIndex: number,
): void {
  const node = documents.earlierNodes.get(key)
  const isSignature = node?.type === 'Sig'
  const where = { object, page: pageIndex + 1, field: node?.name ?? null }
  if (!isShown(documents.before, dictionary)) documents.add('annotation', where)
  else documents.add(node === undefined ? 'annotation-removed' : 'widget-removed', where)
  documents.addAnnotation({ earlier: dictionary, later: null, pageIndex, object, isSignature })
}

function added(
  documents: ComparedDocuments,
  { object, dictionary }: PageAnnotation,
  key: string,
  pageIndex: number,
): void {
  const node = documents.laterNodes.get(key)
  const isSignature = node?.type === 'Sig'
  documents.addAnnotation({ earlier: null, later: dictionary, pageIndex, object, isSignature })
  const where = { object, page: pageIndex + 1 }
  if (node !== undefined && isWidget(documents.after, dictionary)) {
    const kind = isSignature ? signingKind(documents.after, node) : 'field-added'
    documents.add(kind, { ...where, field: node.name })
    return
  }
  documents.add('annotation', where)
  reportNewActions(documents, null, dictionary, where)
}

function altered(
  documents: ComparedDocuments,
  earlier: PageAnnotation,
  later: PageAnnotation,
  pageIndex: number,
): void {
  const wasWidget = isWidget(documents.before, earlier.dictionary)
  const isStillWidget = isWidget(documents.after, later.dictionary)
  const where = { object: later.object, page: pageIndex + 1 }
  if (wasWidget !== isStillWidget) documents.add('field-altered', where)
  // Widgets are compared as parts of the form.
  if (wasWidget) return

  const { dictionary } = later
  let isAltered = false
  for (const key of unitedKeys(earlier.dictionary, dictionary)) {
    if (incidentalKeys.has(key)) continue
    const difference = documents.entryDifference(earlier.dictionary, dictionary, key, later.object)
    if (difference === null) continue
    isAltered = true
    const vanishes = key === 'F' && !isShown(documents.after, dictionary)
    const kind = vanishes && isShown(documents.before, earlier.dictionary)
    documents.add(kind ? 'annotation-removed' : 'annotation', {
      ...where,
      object: difference.object,
    })
  }
  if (!isAltered) return
  reportNewActions(documents, earlier.dictionary, dictionary, where)
  documents.addAnnotation({
    earlier: earlier.dictionary,
    later: dictionary,
    pageIndex,
    object: later.object,
    isSignature: false,
  })
}

/** Where it hangs, when it was changed, and what belongs to it without being seen. */
const incidentalKeys: ReadonlySet<string> = new Set([
  'P',
  'Parent',
  'StructParent',
  'NM',
  'M',
  'Type',
  'Popup',
])

function reportNewActions(
  documents: ComparedDocuments,
  earlier: PdfDictionary | null,
  later: PdfDictionary,
  where: { object: number | null; page: number },
): void {
  for (const key of ['A', 'AA', 'PA', 'FS', 'RichMediaContent']) {
    const value = later.get(key)
    if (value === undefined) continue
    if (earlier !== null && documents.difference(earlier.get(key), value, where.object) === null)
      continue
    const entry = new PdfDictionary([[key, documents.after.resolve(value)]])
    if (key === 'AA' || activeKinds(documents.after, entry).size > 0)
      documents.add('active-content', where)
  }
  if (earlier === null && activeKinds(documents.after, later).size > 0)
    documents.add('active-content', where)
}

function isWidget(graph: ObjectGraph, annotation: PdfDictionary): boolean {
  return isName(graph.resolve(annotation.get('Subtype')), 'Widget')
}

/** A pop-up belongs to another annotation. */
function isShown(graph: ObjectGraph, annotation: PdfDictionary): boolean {
  if (isHidden(graph, annotation)) return false
  return !isName(graph.resolve(annotation.get('Subtype')), 'Popup')
}
