import { type Drawing, maskGroup, streamDrawing, topDrawings } from '../pdf/content/drawing.ts'
import { readContent } from '../pdf/content/content-stream.ts'
import { isName, PdfDictionary, PdfName, type PdfObject, PdfStream } from '../pdf/object.ts'
import type { ObjectGraph } from '../pdf/object-graph.ts'
import { listPages } from '../pdf/page-tree.ts'
import { dictionaryOf } from '../pdf/walk-direct.ts'
import { type LayerVisibility, layerVisibility } from '../pdf/layer-visibility.ts'

/**
 * Layers (optional content groups, ISO 32000-2, 8.11) on which something is drawn that a viewer does not show when it
 * opens the document: marked content, XObjects and annotations. In ascending order of their object numbers.
 */
export function hiddenLayers(graph: ObjectGraph): number[] {
  const visibility = layerVisibility(graph)
  if (!visibility || (visibility.allOn && !hasMemberships(graph))) return []
  const drawn = new Set<number>()
  noteAnnotations(graph, visibility, drawn)
  const pending = topDrawings(graph)
  const seen = new Set<PdfDictionary>()
  for (let drawing = pending.pop(); drawing; drawing = pending.pop()) {
    if (seen.has(drawing.key)) continue
    seen.add(drawing.key)
    noteContent(graph, drawing, visibility, drawn)
    for (const inner of innerDrawings(graph, drawing)) if (!seen.has(inner.key)) pending.push(inner)
  }
  return [...drawn].sort((a, b) => a - b)
}

/** With all layers on, only a condition that wants some off hides anything. */
function hasMemberships(graph: ObjectGraph): boolean {
  for (const number of graph.numbers()) {
    const object = graph.get(number)
    if (object instanceof PdfDictionary && isName(graph.resolve(object.get('Type')), 'OCMD')) {
      return true
    }
  }
  return false
}

/** Bits of `/F` (table 167) under which no viewer shows the annotation anyway. */
const hiddenFlags = (1 << 1) | (1 << 5)

/** 12.5.2, table 166: `/OC` of annotations on pages. */
function noteAnnotations(
  graph: ObjectGraph,
  visibility: LayerVisibility,
  drawn: Set<number>,
): void {
  for (const { dictionary } of listPages(graph)) {
    const annotations = graph.resolve(dictionary.get('Annots'))
    if (!Array.isArray(annotations)) continue
    for (const item of annotations) {
      const annotation = dictionaryOf(graph.resolve(item))
      if (!annotation?.has('OC')) continue
      const flags = graph.resolve(annotation.get('F'))
      if (typeof flags === 'number' && (flags & hiddenFlags) !== 0) continue
      for (const number of visibility.hiding(annotation.get('OC'))) drawn.add(number)
    }
  }
}

/** 8.5.3, 8.7.4.2, 8.8, 8.9.7 and 9.4.3: operators that put something on the page. */
const painting: ReadonlySet<string> = new Set(`S s f F f* B B* b b* sh Do EI Tj TJ ' "`.split(' '))

/** Marked content within each other; what is deeper is taken to be like what it is in. */
const maxMarks = 1000

function noteContent(
  graph: ObjectGraph,
  { content, resources }: Drawing,
  visibility: LayerVisibility,
  drawn: Set<number>,
): void {
  const properties = named(graph, resources, 'Properties')
  const xObjects = named(graph, resources, 'XObject')
  const marks: (readonly number[])[] = []
  let deeper = 0
  /** How many of the marks have not been drawn in. */
  let fresh = 0
  readContent(content(), (operator, operands) => {
    if (operator === 'BDC' || operator === 'BMC') {
      if (marks.length >= maxMarks) deeper++
      else marks.push(hidingMark(operands, properties, visibility))
    } else if (operator === 'EMC') {
      if (deeper > 0) deeper--
      else marks.pop()
      fresh = Math.min(fresh, marks.length)
    } else if (painting.has(operator)) {
      for (; fresh < marks.length; fresh++) for (const one of marks[fresh] ?? []) drawn.add(one)
      const name = operands.at(-1)
      const xObject = operator === 'Do' && isName(name) ? xObjects.get(name.value) : undefined
      const stream = graph.resolve(xObject)
      if (stream instanceof PdfStream) {
        for (const one of visibility.hiding(stream.dictionary.get('OC'))) drawn.add(one)
      }
    }
  })
}

/** 8.11.3.2: `/OC /Name BDC`, where the name is one of the resources' property lists. */
function hidingMark(
  operands: readonly PdfObject[],
  properties: PdfDictionary,
  visibility: LayerVisibility,
): readonly number[] {
  const [tag, list] = operands.slice(-2)
  if (!(tag instanceof PdfName) || tag.value !== 'OC' || !(list instanceof PdfName)) return []
  return visibility.hiding(properties.get(list.value))
}

/** What the resources of a drawing let it draw: forms, tiling patterns, soft masks and glyphs of Type 3 fonts. */
function* innerDrawings(graph: ObjectGraph, { resources }: Drawing): Generator<Drawing> {
  const streams: PdfObject[] = []
  for (const category of ['XObject', 'Pattern']) {
    for (const item of named(graph, resources, category).values()) streams.push(graph.resolve(item))
  }
  for (const state of named(graph, resources, 'ExtGState').values()) {
    streams.push(maskGroup(graph, graph.resolve(state)))
  }
  for (const stream of streams) {
    if (!(stream instanceof PdfStream) || isImage(graph, stream)) continue
    yield streamDrawing(graph, stream, resources)
  }
  for (const item of named(graph, resources, 'Font').values()) {
    const font = graph.resolve(item)
    if (!(font instanceof PdfDictionary)) continue
    const own = graph.resolve(font.get('Resources'))
    for (const glyph of named(graph, font, 'CharProcs').values()) {
      const stream = graph.resolve(glyph)
      if (!(stream instanceof PdfStream)) continue
      yield streamDrawing(graph, stream, own instanceof PdfDictionary ? own : resources)
    }
  }
}

function isImage(graph: ObjectGraph, { dictionary }: PdfStream): boolean {
  return isName(graph.resolve(dictionary.get('Subtype')), 'Image')
}

function named(graph: ObjectGraph, holder: PdfDictionary, category: string): PdfDictionary {
  const entries = graph.resolve(holder.get(category))
  return entries instanceof PdfDictionary ? entries : new PdfDictionary()
}
