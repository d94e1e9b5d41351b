import type { ContentGraph } from '../content/content-graph.ts'
import { isName, type PdfDictionary } from '../object.ts'
import { CompositeShownFont } from './composite-shown-font.ts'
import type { ShownFont } from './shown-font.ts'
import { SimpleShownFont } from './simple-shown-font.ts'

/** A font dictionary as text is shown with it (ISO 32000-2, 9.5). What is missing or damaged in it is made up for. */
export function loadFont(graph: ContentGraph, font: PdfDictionary): ShownFont {
  return isName(graph.resolve(font.get('Subtype')), 'Type0')
    ? new CompositeShownFont(graph, font)
    : new SimpleShownFont(graph, font)
}
