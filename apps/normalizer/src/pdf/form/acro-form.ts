import { documentCatalog } from '../catalog.ts'
import { decodeStream } from '../filter/decode-stream.ts'
import { PdfDictionary, PdfName, type PdfObject, PdfStream, PdfString } from '../object.ts'
import type { ObjectGraph } from '../object-graph.ts'
import { decodeTextString } from '../text-string.ts'
import { dictionaryOf } from '../walk-direct.ts'

/** The interactive form of a document (ISO 32000-2, 12.7.3). */
export interface AcroForm {
  readonly dictionary: PdfDictionary
  /** Whether there is any field at all: many files keep an empty form. */
  readonly hasFields: boolean
  readonly hasXfa: boolean
  /** `/NeedsRendering` (annex K): what the pages show gives way to what XFA describes. */
  readonly isDynamicXfa: boolean
  readonly needAppearances: boolean
  /** `/DR`: fonts and the like for appearances. */
  readonly resources: PdfDictionary | null
}

/** The field that a widget shows, with what it inherits (12.7.4). */
export interface FormField {
  readonly type: 'Tx' | 'Ch' | 'Btn' | 'Sig' | null
  /** `/Ff`, table 227 and those of the field types. */
  readonly flags: number
  readonly value: PdfObject
  /** `/TU`: what it is called in place of its name. */
  readonly alternateName: PdfObject
  /** `/Opt` of choices and buttons. */
  readonly options: PdfObject
  /** `/TI`: the first option that a list shows. */
  readonly topIndex: number
  /** `/I`: which options of a choice are selected. */
  readonly selectedIndexes: readonly number[]
  readonly maxLength: number | null
  /** `/DA`. */
  readonly defaultAppearance: string
  /** `/Q`: 0 left, 1 centred, 2 right. */
  readonly quadding: number
  /** Where the field looks for fonts before the form does: its own `/DR` and those above it, and its appearance's. */
  readonly resources: readonly PdfDictionary[]
}

/** Bits of `/Ff` (tables 227, 229, 231 and 233). */
export const fieldFlags = {
  multiline: 1 << 12,
  password: 1 << 13,
  radio: 1 << 15,
  pushButton: 1 << 16,
  combo: 1 << 17,
  comb: 1 << 24,
} as const

export function acroFormOf(graph: ObjectGraph): AcroForm | null {
  const catalog = documentCatalog(graph)
  const dictionary = dictionaryOf(graph.resolve(catalog.get('AcroForm')))
  if (!dictionary) return null
  const fields = graph.resolve(dictionary.get('Fields'))
  const resources = graph.resolve(dictionary.get('DR'))
  const hasXfa = graph.resolve(dictionary.get('XFA')) !== null
  return {
    dictionary,
    hasFields:
      Array.isArray(fields) && fields.some((field) => dictionaryOf(graph.resolve(field)) !== null),
    hasXfa,
    isDynamicXfa: hasXfa && graph.resolve(catalog.get('NeedsRendering')) === true,
    needAppearances: graph.resolve(dictionary.get('NeedAppearances')) === true,
    resources: resources instanceof PdfDictionary ? resources : null,
  }
}

export function fieldOf(
  graph: ObjectGraph,
  form: AcroForm | null,
  widget: PdfDictionary,
): FormField {
  const inherited = (key: string): PdfObject => fieldAttribute(graph, widget, key)
  const ofForm = (key: string): PdfObject => graph.resolve(form?.dictionary.get(key))
  const type = inherited('FT')
  const appearance = inherited('DA') ?? ofForm('DA')
  return {
    type: type instanceof PdfName && isFieldType(type.value) ? type.value : null,
    flags: integer(inherited('Ff')) ?? 0,
    value: inherited('V'),
    alternateName: inherited('TU'),
    options: inherited('Opt'),
    topIndex: Math.max(0, integer(inherited('TI')) ?? 0),
    selectedIndexes: indexesOf(graph, inherited('I')),
    maxLength: integer(inherited('MaxLen')),
    defaultAppearance:
      appearance instanceof PdfString ? Buffer.from(appearance.bytes).toString('latin1') : '',
    quadding: integer(inherited('Q') ?? ofForm('Q')) ?? 0,
    resources: resourcesOf(graph, widget),
  }
}

/** Text that stands as a string or as a stream (7.9.3); null for anything else. */
export function textOf(graph: ObjectGraph, object: PdfObject | undefined): string | null {
  const value = graph.resolve(object)
  if (value instanceof PdfString) return decodeTextString(value)
  if (!(value instanceof PdfStream)) return null
  const bytes = decodeStream(graph, value)
  return bytes && decodeTextString(new PdfString(bytes))
}

/** The nearest value on the way from the widget up through its fields. */
function fieldAttribute(graph: ObjectGraph, widget: PdfDictionary, key: string): PdfObject {
  for (const node of fieldChain(graph, widget)) {
    const value = graph.resolve(node.get(key))
    if (value !== null) return value
  }
  return null
}

function* fieldChain(graph: ObjectGraph, widget: PdfDictionary): Generator<PdfDictionary> {
  const seen = new Set<PdfDictionary>()
  let node: PdfDictionary | null = widget
  while (node && !seen.has(node)) {
    yield node
    seen.add(node)
    node = dictionaryOf(graph.resolve(node.get('Parent')))
  }
}

/** Many writers give the field itself a `/DR`, and some name fonts that only its appearance knows. */
function resourcesOf(graph: ObjectGraph, widget: PdfDictionary): PdfDictionary[] {
  const own = [...fieldChain(graph, widget)].map((node) => graph.resolve(node.get('DR')))
  const appearances = graph.resolve(widget.get('AP'))
  const normal = appearances instanceof PdfDictionary ? graph.resolve(appearances.get('N')) : null
  const drawn =
    normal instanceof PdfStream ? graph.resolve(normal.dictionary.get('Resources')) : null
  return [...own, drawn].filter((one) => one instanceof PdfDictionary)
}

function indexesOf(graph: ObjectGraph, list: PdfObject): number[] {
  const items = Array.isArray(list) ? list.map((item) => graph.resolve(item)) : []
  return items.filter(
    (item): item is number => typeof item === 'number' && Number.isInteger(item) && item >= 0,
  )
}

function isFieldType(name: string): name is 'Tx' | 'Ch' | 'Btn' | 'Sig' {
  return name === 'Tx' || name === 'Ch' || name === 'Btn' || name === 'Sig'
}

function integer(object: PdfObject): number | null {
  return typeof object === 'number' ? Math.trunc(object) : null
}
