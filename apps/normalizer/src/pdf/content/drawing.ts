import { decodeStream } from '../filter/decode-stream.ts'
import { PdfDictionary, PdfName, type PdfObject, PdfStream } from '../object.ts'
import type { ObjectGraph } from '../object-graph.ts'
import { pageContent } from './page-content.ts'
import { inheritedAttribute, listPages } from '../page-tree.ts'

/** Something that is drawn: content and the resources that it names. */
export interface Drawing {
  readonly key: PdfDictionary
  readonly content: () => Uint8Array
  readonly resources: PdfDictionary
}

/** Pages and the normal appearances of their annotations. */
export function topDrawings(graph: ObjectGraph): Drawing[] {
  const drawings: Drawing[] = []
  for (const page of listPages(graph)) {
    const resources = inheritedAttribute(graph, page, 'Resources')
    drawings.push({
      key: page.dictionary,
      content: () => pageContent(graph, page.dictionary),
      resources: resources instanceof PdfDictionary ? resources : new PdfDictionary(),
    })
    const annotations = graph.resolve(page.dictionary.get('Annots'))
    if (!Array.isArray(annotations)) continue
    for (const annotation of annotations) {
      for (const stream of normalAppearances(graph, graph.resolve(annotation))) {
        drawings.push(streamDrawing(graph, stream, new PdfDictionary()))
      }
    }
  }
  return drawings
}

/** 12.5.5: a stream, or one for each state, of which `/AS` chooses. */
function normalAppearances(graph: ObjectGraph, annotation: PdfObject): PdfStream[] {
  const appearances =
    annotation instanceof PdfDictionary ? graph.resolve(annotation.get('AP')) : null
  const normal = appearances instanceof PdfDictionary ? graph.resolve(appearances.get('N')) : null
  if (normal instanceof PdfStream) return [normal]
  if (!(normal instanceof PdfDictionary) || !(annotation instanceof PdfDictionary)) return []
  const state = graph.resolve(annotation.get('AS'))
  const chosen = state instanceof PdfName ? [normal.get(state.value)] : [...normal.values()]
  return chosen.map((one) => graph.resolve(one)).filter((one) => one instanceof PdfStream)
}

export function streamDrawing(
  graph: ObjectGraph,
  stream: PdfStream,
  inherited: PdfDictionary,
): Drawing {
  const own = graph.resolve(stream.dictionary.get('Resources'))
  return {
    key: stream.dictionary,
    content: () => decodeStream(graph, stream) ?? new Uint8Array(),
    // 7.8.3: a form XObject without resources uses those of the page.
    resources: own instanceof PdfDictionary ? own : inherited,
  }
}

/** 8.4.5: `/Font` of a graphics state is an array of a font and a size. */
export function stateFont(graph: ObjectGraph, state: PdfObject): PdfObject | undefined {
  const font = state instanceof PdfDictionary ? graph.resolve(state.get('Font')) : null
  return Array.isArray(font) ? font[0] : undefined
}

export function maskGroup(graph: ObjectGraph, state: PdfObject): PdfStream | null {
  const mask = state instanceof PdfDictionary ? graph.resolve(state.get('SMask')) : null
  const group = mask instanceof PdfDictionary ? graph.resolve(mask.get('G')) : null
  return group instanceof PdfStream ? group : null
}
