import { documentCatalog } from '../pdf/catalog.ts'
import { isName, PdfDictionary, type PdfObject } from '../pdf/object.ts'
import type { ObjectGraph } from '../pdf/object-graph.ts'
import { activeKinds } from './active-items.ts'
import type { ChangeKind } from './change.ts'
import { type ComparedDocuments, numberOf, unitedKeys } from './compared-documents.ts'
import { staysEmpty } from './empty-appearance.ts'
import { appearsOrVanishes, isEmptyValue, saysTheSame, staysTheKind } from './field-entries.ts'
import { formDictionaryChanges } from './form-dictionary-changes.ts'
import type { FormNode } from './form-nodes.ts'
import { isHidden } from './page-annotations.ts'

/** The fields and widgets of the form, and what the form says of all of them (ISO 32000-2, 12.7.3). */
export function formChanges(documents: ComparedDocuments): void {
  const { earlierNodes, laterNodes } = documents
  for (const [key, earlier] of earlierNodes) {
    const later = laterNodes.get(key)
    if (later === undefined) removedNode(documents, earlier)
    else compareNodes(documents, earlier, later)
  }
  for (const [key, later] of laterNodes) {
    if (!earlierNodes.has(key)) addedNode(documents, later)
  }
  formDictionaryChanges(documents)
}

/** What signing a field is; a document time-stamp only adds validation data (12.8.5). */
export function signingKind(graph: ObjectGraph, { value }: FormNode): ChangeKind {
  const signature = graph.resolve(value)
  if (!(signature instanceof PdfDictionary)) return 'signing'
  const isTimestamp =
    isName(graph.resolve(signature.get('Type')), 'DocTimeStamp') ||
    isName(graph.resolve(signature.get('SubFilter')), 'ETSI.RFC3161')
  return isTimestamp ? 'validation-data' : 'signing'
}

/** Whether a node's value signs something. */
export function isSigned(graph: ObjectGraph, { value, type }: FormNode): boolean {
  const signature = graph.resolve(value)
  if (!(signature instanceof PdfDictionary) || type !== 'Sig') return false
  return signature.has('ByteRange') && signature.has('Contents')
}

function removedNode(documents: ComparedDocuments, node: FormNode): void {
  // One more widget of a field is an annotation of its page.
  if (!node.inForm || !node.isField) return
  const where = whereOf(node)
  documents.add('field-removed', where)
  if (isSigned(documents.before, node)) documents.add('signature-altered', where)
}

function addedNode(documents: ComparedDocuments, node: FormNode): void {
  const where = whereOf(node)
  if (node.type === 'Sig') documents.add(signingKind(documents.after, node), where)
  else documents.add('field-added', where)
  const actions = ['A', 'AA'].some((key) => node.dictionary.has(key))
  if (actions && activeKinds(documents.after, node.dictionary).size > 0)
    documents.add('active-content', where)
}

function compareNodes(documents: ComparedDocuments, earlier: FormNode, later: FormNode): void {
  const where = whereOf(later)
  if (earlier.inForm && !later.inForm) documents.add('field-removed', where)
  if (!earlier.inForm && later.inForm)
    documents.add(later.type === 'Sig' ? 'signing' : 'field-added', where)

  if (hasKids(documents.before, earlier) !== hasKids(documents.after, later))
    documents.add('field-altered', where)

  const kindOf = classification(documents, earlier, later)
  for (const key of unitedKeys(earlier.dictionary, later.dictionary)) {
    if (incidentalKeys.has(key)) continue
    const difference = nodeDifference(documents, earlier, later, key)
    if (difference !== null) {
      documents.add(kindOf(key), { ...where, object: difference.object })
      if (key === 'AP' || key === 'F') noteRedrawn(documents, earlier, later)
    }
  }
}

/** Kids of any form: what is none to one reader is some to another. */
function hasKids(graph: ObjectGraph, { dictionary }: FormNode): boolean {
  return graph.resolve(dictionary.get('Kids')) !== null
}

/** Where the node hangs (its kids are nodes of their own), and what nobody is shown. */
const incidentalKeys: ReadonlySet<string> = new Set([
  'P',
  'Parent',
  'Kids',
  'StructParent',
  'NM',
  'M',
  'Type',
])

function nodeDifference(
  documents: ComparedDocuments,
  earlier: FormNode,
  later: FormNode,
  key: string,
): { object: number | null } | null {
  const { before, after } = documents
  const [text, laterText] = [earlier.dictionary.get(key), later.dictionary.get(key)]
  if (textKeys.has(key) && saysTheSame(documents, text, laterText)) return null
  if (key !== 'V' || !isSigned(before, earlier) || !isSigned(after, later))
    return documents.entryDifference(earlier.dictionary, later.dictionary, key, later.number)

  const [left, right] = [before.resolve(earlier.value), after.resolve(later.value)]
  if (!(left instanceof PdfDictionary) || !(right instanceof PdfDictionary)) return null
  const holder = numberOf(later.value) ?? later.number
  for (const entry of unitedKeys(left, right)) {
    // They lead back to the catalog, and so to all that may have changed since.
    if (entry === 'Reference' || entry === 'Data') continue
    const difference = documents.entryDifference(left, right, entry, holder)
    if (difference !== null) return difference
  }
  return null
}

/** Entries that are text strings. */
const textKeys: ReadonlySet<string> = new Set(['T', 'TU', 'TM', 'V', 'DV'])

/** What a difference under each key is a case of. */
function classification(
  documents: ComparedDocuments,
  earlier: FormNode,
  later: FormNode,
): (key: string) => ChangeKind {
  const { before, after } = documents
  if (earlier.type === 'Sig' || later.type === 'Sig') {
    const wasSigned = isSigned(before, earlier)
    if (wasSigned) return (key) => signedKind(key)
    if (isSigned(after, later)) {
      const kind = signingKind(after, later)
      return (key) =>
        identityKeys.has(key) && !isPlacing(key, documents, earlier) ? 'field-altered' : kind
    }
    return (key) =>
      key === 'AP' ? 'appearance' : identityKeys.has(key) ? 'field-altered' : 'signing'
  }

  const filled = isEmptyValue(before.resolve(earlier.value)) ? 'form-filled' : 'form-refilled'
  const valueChanged =
    (documents.difference(earlier.value, later.value, later.number) !== null &&
      !saysTheSame(documents, earlier.value, later.value)) ||
    documents.entryDifference(earlier.dictionary, later.dictionary, 'AS', later.number) !== null
  return (key) => {
    if (key === 'F' && !valueChanged && appearsOrVanishes(documents, earlier, later)) {
      return 'appearance'
    }
    if (key === 'Ff' && staysTheKind(documents, earlier, later)) return 'form-filled'
    if (key === 'AP') {
      if (valueChanged || redrawsItself(before, earlier)) return filled
      const isEmpty = filled === 'form-filled' && staysEmpty(documents, earlier, later)
      return isEmpty ? filled : 'appearance'
    }
    if (key === 'A' || key === 'AA') return actionKind(after, later.dictionary.get(key), filled)
    if (identityKeys.has(key)) return 'field-altered'
    return fillingKeys.has(key) ? filled : 'other'
  }
}

/** Which field it is and where it stands. */
const identityKeys: ReadonlySet<string> = new Set(['Rect', 'T', 'FT', 'Subtype', 'OC', 'Opt'])

/** What filling in a field may change (tables 166, 192, 226, 228 and 230). */
const fillingKeys: ReadonlySet<string> = new Set([
  'V',
  'AS',
  'DA',
  'Q',
  'MK',
  'F',
  'Ff',
  'DV',
  'I',
  'TI',
  'RV',
  'DS',
  'BS',
  'Border',
  'H',
  'TU',
  'TM',
  'DR',
  'MaxLen',
])

function signedKind(key: string): ChangeKind {
  if (key === 'AP' || key === 'AS' || key === 'F' || key === 'MK') return 'appearance'
  return identityKeys.has(key) && key !== 'T' && key !== 'FT'
    ? 'field-altered'
    : 'signature-altered'
}

/** An invisible field gets its place when it is signed. */
function isPlacing(key: string, { before }: ComparedDocuments, { dictionary }: FormNode): boolean {
  if (key !== 'Rect' && key !== 'Subtype') return false
  const rectangle = before.resolve(dictionary.get('Rect'))
  if (!Array.isArray(rectangle)) return true
  const [left, bottom, right, top] = rectangle.map((item) => before.resolve(item))
  return left === right || bottom === top
}

/** Viewers draw such a field from its value, so its appearance stream told nobody anything. */
function redrawsItself(graph: ObjectGraph, { dictionary }: FormNode): boolean {
  const form = graph.resolve(documentCatalog(graph).get('AcroForm'))
  const needed =
    form instanceof PdfDictionary && graph.resolve(form.get('NeedAppearances')) === true
  const appearance = graph.resolve(dictionary.get('AP'))
  return needed || !(appearance instanceof PdfDictionary) || appearance.size === 0
}

function actionKind(
  graph: ObjectGraph,
  action: PdfObject | undefined,
  filled: ChangeKind,
): ChangeKind {
  const value = graph.resolve(action)
  return value === null ? filled : 'active-content'
}

/** What is drawn when a field is signed, or when one appears that was hidden, may hide what the page shows. */
function noteRedrawn(documents: ComparedDocuments, earlier: FormNode, later: FormNode): void {
  const appears = isHidden(documents.before, earlier.dictionary)
  if (earlier.pageIndex === null || (later.type !== 'Sig' && !appears)) return
  documents.addAnnotation({
    earlier: null,
    later: later.dictionary,
    pageIndex: earlier.pageIndex,
    object: later.number,
    isSignature: later.type === 'Sig',
  })
}

function whereOf({ number, pageIndex, name }: FormNode): {
  object: number | null
  page: number | null
  field: string
} {
  return { object: number, page: pageIndex === null ? null : pageIndex + 1, field: name }
}
