import type { ContentGraph } from '../content/content-graph.ts'
import { PdfDictionary, type PdfObject, PdfReference } from '../object.ts'
import type { ObjectGraph } from '../object-graph.ts'
import type { SettledGraph } from './settled-graph.ts'

/** The pages of a document as a reader of the output would find them. */
export interface WrittenPages {
  /** Resolves to nothing where the output has nothing. */
  readonly graph: ContentGraph
  /** In order, each with all its attributes. */
  readonly pages: readonly PdfDictionary[]
}

/** @param graph the one that was settled; its budget is charged for what is decoded */
export function writtenPages(
  settled: SettledGraph,
  { expansionBudget }: Pick<ObjectGraph, 'expansionBudget'>,
): WrittenPages {
  const resolve = (object: PdfObject | undefined): PdfObject => {
    const isGone = object instanceof PdfReference && settled.locate(object) === null
    const resolved = isGone ? null : settled.resolve(object)
    // A page that stands in another object is left out.
    const isStray = resolved instanceof PdfDictionary && settled.isPage(resolved)
    return isStray ? null : resolved
  }
  const pages = settled.pages.map((number) => settled.get(number))
  return {
    graph: expansionBudget ? { resolve, expansionBudget } : { resolve },
    pages: pages.filter((page) => page instanceof PdfDictionary),
  }
}
