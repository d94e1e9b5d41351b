import { type ContentBalance, contentBalance } from './content-balance.ts'
import { PdfDictionary, type PdfObject, type PdfReference, PdfStream } from '../object.ts'
import type { ObjectGraph } from '../object-graph.ts'
import { pageContent } from './page-content.ts'
import { inheritedAttribute, type PdfPage } from '../page-tree.ts'

/** A form XObject to be drawn on top of a page. */
export interface Placement {
  readonly form: PdfReference
  /** ISO 32000-2, 8.3.3: maps the form's space, after its own matrix, to the page's default user space. */
  readonly matrix: readonly [number, number, number, number, number, number]
  /** The layer (8.11.3) that it belongs to. */
  readonly layer: PdfObject | undefined
  /** The structure element (14.7.5) that it is the content of; null for an artifact of a tagged document. */
  readonly markedContent: MarkedContent | null
}

export interface MarkedContent {
  /** A name without characters that would have to be escaped. */
  readonly tag: string
  /** `/MCID`. */
  readonly identifier: number
}

/**
 * Draws form XObjects over what the page has. They come out in the page's default user space whatever its own
 * content leaves behind, and the page gets resources of its own: dictionaries that pages share stay as they are.
 *
 * @param isTagged in a tagged document all content is marked or an artifact (14.8.2.2)
 */
export function drawOnPage(
  graph: ObjectGraph,
  page: PdfPage,
  placements: readonly Placement[],
  isTagged: boolean,
): void {
  if (placements.length === 0) return
  const resources = ownResources(inheritedAttribute(graph, page, 'Resources'))
  const own = (kind: 'XObject' | 'Properties'): PdfDictionary =>
    ownNames(graph, graph.resolve(resources.get(kind)))
  const xObjects = own('XObject')
  const properties = own('Properties')

  const lines: string[] = []
  for (const { form, matrix, layer, markedContent } of placements) {
    const name = addUnder(xObjects, 'Widget', form)
    const drawing = `q ${matrix.map(decimal).join(' ')} cm /${name} Do Q`
    const layered =
      layer === undefined
        ? drawing
        : `/OC /${addUnder(properties, 'WidgetLayer', layer)} BDC ${drawing} EMC`
    if (markedContent) {
      const { tag, identifier } = markedContent
      lines.push(`/${tag} << /MCID ${identifier} >> BDC`, layered, 'EMC')
    } else if (isTagged) lines.push('/Artifact BMC', layered, 'EMC')
    else lines.push(layered)
  }
  resources.set('XObject', xObjects)
  if (properties.size > 0) resources.set('Properties', properties)
  page.dictionary.set('Resources', resources)

  appendContent(graph, page.dictionary, lines.join('\n'))
}

/** ISO 32000-2, table 34. */
const resourceKinds = new Set([
  'ExtGState',
  'ColorSpace',
  'Pattern',
  'Shading',
  'XObject',
  'Font',
  'ProcSet',
  'Properties',
])

/** Resources alone: a damaged page may name any dictionary for them, a widget too, and the copy must not be one. */
function ownResources(object: PdfObject): PdfDictionary {
  return new PdfDictionary(entriesOf(object).filter(([key]) => resourceKinds.has(key)))
}

/** Named objects alone, for the same reason. */
function ownNames(graph: ObjectGraph, object: PdfObject): PdfDictionary {
  return new PdfDictionary(
    entriesOf(object).filter(([, value]) => {
      const named = graph.resolve(value)
      return named instanceof PdfDictionary || named instanceof PdfStream
    }),
  )
}

function entriesOf(object: PdfObject): [string, PdfObject][] {
  return object instanceof PdfDictionary ? [...object] : []
}

function addUnder(dictionary: PdfDictionary, prefix: string, value: PdfObject): string {
  let index = dictionary.size
  while (dictionary.has(`${prefix}${index}`)) index++
  dictionary.set(`${prefix}${index}`, value)
  return `${prefix}${index}`
}

/** 7.3.3: no exponents. Six decimals are finer than any device. */
function decimal(value: number): string {
  const text = value.toFixed(6).replace(/\.?0+$/, '')
  return text === '-0' ? '0' : text
}

/** Puts the original content between `q` and `Q`, closes what it leaves open and adds the new content. */
function appendContent(graph: ObjectGraph, page: PdfDictionary, addition: string): void {
  const original = pageContent(graph, page)
  if (original.length === 0) {
    page.set('Contents', addStream(graph, addition))
    return
  }
  const balance = contentBalance(original)
  const kept = isSound(balance)
    ? contentStreams(graph, page)
    : [graph.add(new PdfStream(new PdfDictionary(), mended(original, balance)))]
  page.set('Contents', [
    addStream(graph, 'q'),
    ...kept,
    addStream(graph, `${closing(balance)}\n${addition}`),
  ])
}

function contentStreams(graph: ObjectGraph, page: PdfDictionary): PdfObject[] {
  const contents = graph.resolve(page.get('Contents'))
  const items = Array.isArray(contents) ? contents : [page.get('Contents') ?? null]
  return items.filter((item) => graph.resolve(item) instanceof PdfStream)
}

function isSound({ excessRestores, brokenOff }: ContentBalance): boolean {
  return excessRestores.length === 0 && brokenOff === null
}

/**
 * Takes out what viewers pass over: inside our own `q` a `Q` too many would restore, and an unfinished string would
 * swallow what is added.
 */
function mended(content: Uint8Array, { excessRestores, brokenOff }: ContentBalance): Uint8Array {
  const copy = new Uint8Array(content)
  for (const offset of excessRestores) copy[offset] = 0x20
  return brokenOff === null ? copy : copy.subarray(0, brokenOff)
}

function closing({ openText, openMarks, openStates }: ContentBalance): string {
  const operators = [
    ...(openText ? ['ET'] : []),
    ...Array<string>(openMarks).fill('EMC'),
    ...Array<string>(openStates + 1).fill('Q'),
  ]
  return `\n${operators.join(' ')}`
}

function addStream(graph: ObjectGraph, content: string): PdfReference {
  return graph.add(new PdfStream(new PdfDictionary(), Buffer.from(`${content}\n`, 'latin1')))
}
