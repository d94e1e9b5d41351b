import { documentCatalog } from '../pdf/catalog.ts'
import { PdfDictionary, type PdfObject, PdfString } from '../pdf/object.ts'
import type { ChangeKind } from './change.ts'
import { type ComparedDocuments, numberOf, unitedKeys } from './compared-documents.ts'

/** What the form says of all its fields (ISO 32000-2, table 224). */
export function formDictionaryChanges(documents: ComparedDocuments): void {
  const { before, after } = documents
  const [left, right] = [before, after].map((graph) =>
    graph.resolve(documentCatalog(graph).get('AcroForm')),
  )
  const earlier = left instanceof PdfDictionary ? left : new PdfDictionary()
  const later = right instanceof PdfDictionary ? right : new PdfDictionary()
  const object =
    numberOf(documentCatalog(after).get('AcroForm')) ?? numberOf(after.trailer.get('Root'))

  for (const key of unitedKeys(earlier, later)) {
    if (key === 'Fields') continue
    const difference = documents.entryDifference(earlier, later, key, object)
    if (difference === null) continue
    const kind = formKind(documents, key, earlier.get(key), later.get(key))
    documents.add(kind, { object: difference.object })
  }
}

function formKind(
  documents: ComparedDocuments,
  key: string,
  earlier: PdfObject | undefined,
  later: PdfObject | undefined,
): ChangeKind {
  switch (key) {
    case 'SigFlags':
      return 'metadata'
    case 'DR':
      return onlyAdds(documents, earlier, later) ? 'metadata' : 'form-filled'
    case 'DA':
    case 'Q':
      return earlier === undefined ? 'metadata' : 'form-filled'
    case 'NeedAppearances':
      return documents.after.resolve(later) === true ? 'form-filled' : 'metadata'
    case 'XFA':
      return xfaKind(documents, earlier, later)
    case 'CO':
      return 'field-altered'
    default:
      return earlier === undefined ? 'structure' : 'other'
  }
}

/** Of the packets of an XFA form (12.7.8) only the data and what was entered are filled in; the rest is the form. */
function xfaKind(
  documents: ComparedDocuments,
  earlier: PdfObject | undefined,
  later: PdfObject | undefined,
): ChangeKind {
  if (earlier === undefined) return 'field-added'
  const left = documents.before.resolve(earlier)
  const right = documents.after.resolve(later)
  if (!Array.isArray(left) || !Array.isArray(right)) return 'form-refilled'
  const packets = new Map<string, PdfObject | undefined>()
  for (let index = 0; index + 1 < right.length; index += 2)
    packets.set(packetName(documents.after.resolve(right[index])), right[index + 1])
  for (let index = 0; index + 1 < left.length; index += 2) {
    const name = packetName(documents.before.resolve(left[index]))
    if (name === 'datasets' || name === 'form') continue
    if (documents.difference(left[index + 1], packets.get(name), null) !== null)
      return 'field-altered'
  }
  return 'form-refilled'
}

function packetName(object: PdfObject): string {
  return object instanceof PdfString ? Buffer.from(object.bytes).toString('latin1') : ''
}

/** Whether all resources of before are still there, by two levels: kind and name. */
function onlyAdds(
  documents: ComparedDocuments,
  earlier: PdfObject | undefined,
  later: PdfObject | undefined,
): boolean {
  const { before, after } = documents
  const left = before.resolve(earlier)
  const right = after.resolve(later)
  if (!(left instanceof PdfDictionary)) return true
  if (!(right instanceof PdfDictionary)) return false
  return [...left].every(([kind, resources]) => {
    if (kind === 'ProcSet') return true
    const named = before.resolve(resources)
    const namedLater = after.resolve(right.get(kind))
    if (!(named instanceof PdfDictionary) || !(namedLater instanceof PdfDictionary))
      return documents.difference(resources, right.get(kind), null) === null
    return [...named].every(
      ([name, resource]) => documents.difference(resource, namedLater.get(name), null) === null,
    )
  })
}
