import type { ObjectGraph } from '../object-graph.ts'
import type { ContentBudget } from './content-budget.ts'

/** What reading content needs of a document. */
export type ContentGraph = Pick<ObjectGraph, 'resolve' | 'expansionBudget'>

/** What reading fonts needs of a document. */
export interface FontGraph extends ContentGraph {
  readonly contentBudget: ContentBudget
}
