import type { FontGraph } from '../content/content-graph.ts'
import { isName, type PdfDictionary } from '../object.ts'
import { CompositeShownFont } from './composite-shown-font.ts'
import type { ShownFont } from './shown-font.ts'
import { SimpleShownFont } from './simple-shown-font.ts'

/** What a font takes beside what it refers to, in bytes of content. */
const fontBytes = 1024

/**
 * A font dictionary as text is shown with it (ISO 32000-2, 9.5). What is missing or damaged in it is made up for.
 *
 * @throws {ContentBudgetError} when the document's budget is used up
 */
export function loadFont(graph: FontGraph, font: PdfDictionary): ShownFont {
  graph.contentBudget.spend(fontBytes)
  return isName(graph.resolve(font.get('Subtype')), 'Type0')
    ? new CompositeShownFont(graph, font)
    : new SimpleShownFont(graph, font)
}
