import type { ContentGraph } from '../content/content-graph.ts'
import { PdfDictionary, type PdfObject, PdfReference } from '../object.ts'
import type { ObjectGraph } from '../object-graph.ts'
import { SettledGraph } from './settled-graph.ts'

/** The pages of a document as they are written, without writing them. */
export interface WrittenPages {
  /** Resolves as a reader of the output would: to nothing where the output has nothing. */
  readonly graph: ContentGraph
  /** In order, each with all its attributes. */
  readonly pages: readonly PdfDictionary[]
}

/** @throws {Error} when the graph has no catalog with a page tree */
export function writtenPages(graph: ObjectGraph): WrittenPages {
  const settled = new SettledGraph(graph)
  const resolve = (object: PdfObject | undefined): PdfObject => {
    const isGone = object instanceof PdfReference && settled.locate(object) === null
    const resolved = isGone ? null : settled.resolve(object)
    // A page that stands in another object is left out.
    const isStray = resolved instanceof PdfDictionary && settled.isPage(resolved)
    return isStray ? null : resolved
  }
  const pages = settled.pages.map((number) => settled.get(number))
  return {
    graph: graph.expansionBudget
      ? { resolve, expansionBudget: graph.expansionBudget }
      : { resolve },
    pages: pages.filter((page) => page instanceof PdfDictionary),
  }
}
