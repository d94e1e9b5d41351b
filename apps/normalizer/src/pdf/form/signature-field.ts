import { documentCatalog } from '../catalog.ts'
import { isName, PdfDictionary, type PdfObject, PdfReference, PdfString } from '../object.ts'
import type { ObjectGraph } from '../object-graph.ts'
import { listPages } from '../page-tree.ts'
import { ResourceLimitError } from '../reading/read-limits.ts'
import { decodeTextString } from '../text-string.ts'
import { dictionaryOf } from '../walk-direct.ts'

/** A signature value of the document (ISO 32000-2, 12.8) and where it was found. */
export interface SignatureValue {
  /** The field's full name (12.7.4.2); `Signature<n>` with an object number where there is none. */
  readonly fieldName: string
  readonly dictionary: PdfDictionary
  /** The numbered object in whose bytes the dictionary stands; null if it is part of the trailer. */
  readonly objectNumber: number | null
}

/** Told of one by one, each in some hundred bytes; the largest known documents have some dozens. */
const maxSignatures = 10_000
/** Characters of a field's name that are kept: it goes into findings and messages. */
const maxNameLength = 1000
/** Fields that are looked at; the rest of a form that is larger is not. */
const maxFields = 200_000

/**
 * Every signature value once, in document order: of the fields of the form, of signature widgets that only a page
 * knows, of `/Perms/DocMDP`, and signature dictionaries that nothing reaches. Usage rights are not among them.
 *
 * @throws {ResourceLimitError} when there are more than 10,000
 * @param bytes the file: a dictionary with a byte range that signs something stands in them in the clear; null where no
 * object is known to have one
 */
export function signatureValues(
  graph: ObjectGraph,
  bytes: Uint8Array | null,
  fields: readonly SignatureField[] = signatureFields(graph),
): SignatureValue[] {
  const found = new Map<PdfDictionary, SignatureValue>()
  const rights = usageRights(graph)
  const add = (value: SignatureValue): void => {
    if (!found.has(value.dictionary)) found.set(value.dictionary, value)
  }

  // What a field shows as its signature is one, even where usage rights name it too.
  for (const field of fields) {
    const value = signatureValueOf(graph, field)
    if (value) add(value)
  }
  if (bytes !== null) {
    for (const value of unreferencedValues(graph, bytes))
      if (!rights.has(value.dictionary)) add(value)
  }
  if (found.size > maxSignatures) {
    throw new ResourceLimitError(`The document has more than ${maxSignatures} signatures`)
  }
  return [...found.values()]
}

/** A terminal field of type `/Sig`, or a widget of that type outside the form. */
export interface SignatureField {
  readonly name: string | null
  readonly dictionary: PdfDictionary
  readonly objectNumber: number | null
  /** The nearest dictionary, from the field upwards, that has a `/V`. */
  readonly valueHolder: { dictionary: PdfDictionary; objectNumber: number | null } | null
}

/** All signature fields, with or without a value. */
export function signatureFields(graph: ObjectGraph): SignatureField[] {
  const fields: SignatureField[] = []
  const seen = new Set<PdfDictionary>()
  // Some readers take a stream where a form, a field or a signature is due for its dictionary.
  const form = dictionaryOf(graph.resolve(documentCatalog(graph).get('AcroForm')))
  const roots = form && graph.resolve(form.get('Fields'))
  const formNumber = numberOf(documentCatalog(graph).get('AcroForm'))
  const inForm = walkFields(graph, Array.isArray(roots) ? roots : [], formNumber, seen)
  fields.push(...inForm)

  for (const { dictionary } of listPages(graph)) {
    const annotations = graph.resolve(dictionary.get('Annots'))
    if (Array.isArray(annotations)) fields.push(...walkFields(graph, annotations, null, seen))
  }
  return fields
}

interface PendingField {
  readonly object: PdfObject
  readonly holder: number | null
  readonly name: string | null
  readonly isSignature: boolean
  readonly valueHolder: SignatureField['valueHolder']
}

function walkFields(
  graph: ObjectGraph,
  roots: readonly PdfObject[],
  holder: number | null,
  seen: Set<PdfDictionary>,
): SignatureField[] {
  const found: SignatureField[] = []
  const root = { holder, name: null, isSignature: false, valueHolder: null }
  const pending: PendingField[] = roots.map((object) => ({ ...root, object })).toReversed()

  for (let next = pending.pop(); next && seen.size < maxFields; next = pending.pop()) {
    const dictionary = dictionaryOf(graph.resolve(next.object))
    if (!dictionary || seen.has(dictionary)) continue
    seen.add(dictionary)

    const objectNumber = numberOf(next.object) ?? next.holder
    const name = joinedName(next.name, graph.resolve(dictionary.get('T')))
    const type = graph.resolve(dictionary.get('FT'))
    const isSignature = type === null ? next.isSignature : isName(type, 'Sig')
    const hasValue = graph.resolve(dictionary.get('V')) !== null
    const valueHolder = hasValue ? { dictionary, objectNumber } : next.valueHolder

    const kids = fieldKids(graph, dictionary)
    if (kids.length === 0) {
      if (isSignature) found.push({ name, dictionary, objectNumber, valueHolder })
      markWidgets(graph, dictionary, seen)
      continue
    }
    for (const object of kids.toReversed()) {
      pending.push({ object, holder: objectNumber, name, isSignature, valueHolder })
    }
  }
  return found
}

function numberOf(object: PdfObject | undefined): number | null {
  return object instanceof PdfReference ? object.number : null
}

function joinedName(parent: string | null, partial: PdfObject): string | null {
  if (!(partial instanceof PdfString)) return parent
  const text = decodeTextString(partial)
  return parent === null ? text : `${parent}.${text}`
}

/** Kids that are fields, told by their `/T`; the others are the widgets of a terminal field (12.7.4.1). */
function fieldKids(graph: ObjectGraph, field: PdfDictionary): PdfObject[] {
  const kids = graph.resolve(field.get('Kids'))
  if (!Array.isArray(kids)) return []
  return kids.filter((kid) => dictionaryOf(graph.resolve(kid))?.has('T') === true)
}

/** A terminal field's widgets are not met again as fields of their own on a page. */
function markWidgets(graph: ObjectGraph, field: PdfDictionary, seen: Set<PdfDictionary>): void {
  const kids = graph.resolve(field.get('Kids'))
  if (!Array.isArray(kids)) return
  for (const kid of kids) {
    const widget = dictionaryOf(graph.resolve(kid))
    if (widget) seen.add(widget)
  }
}

function signatureValueOf(graph: ObjectGraph, field: SignatureField): SignatureValue | null {
  const holder = field.valueHolder
  if (!holder) return null
  const reference = holder.dictionary.get('V')
  const dictionary = dictionaryOf(graph.resolve(reference))
  if (!dictionary) return null
  const objectNumber = numberOf(reference) ?? holder.objectNumber
  const fieldName = field.name?.slice(0, maxNameLength) || unnamed(field.objectNumber)
  return { fieldName, dictionary, objectNumber }
}

function unnamed(objectNumber: number | null): string {
  return objectNumber === null ? 'Signature' : `Signature${objectNumber}`
}

/** The signatures of 12.8.6.3: they give a reader rights and sign nothing that anyone relies on. */
function usageRights(graph: ObjectGraph): Set<PdfDictionary> {
  const permissions = graph.resolve(documentCatalog(graph).get('Perms'))
  const rights = new Set<PdfDictionary>()
  if (!(permissions instanceof PdfDictionary)) return rights
  for (const key of ['UR', 'UR3']) {
    const value = dictionaryOf(graph.resolve(permissions.get(key)))
    if (value) rights.add(value)
  }
  return rights
}

/** Signature dictionaries among the numbered objects; looked for only where the bytes hold a byte range at all. */
function* unreferencedValues(graph: ObjectGraph, bytes: Uint8Array): Generator<SignatureValue> {
  if (!Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('/ByteRange')) return
  for (const number of graph.numbers()) {
    const dictionary = dictionaryOf(graph.get(number))
    if (!dictionary?.has('ByteRange') || !dictionary.has('Contents')) continue
    yield { fieldName: unnamed(number), dictionary, objectNumber: number }
  }
}
