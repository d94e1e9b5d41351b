import type { ObjectGraph } from '../object-graph.ts'

/** What reading content needs of a document. */
export type ContentGraph = Pick<ObjectGraph, 'resolve' | 'expansionBudget'>
