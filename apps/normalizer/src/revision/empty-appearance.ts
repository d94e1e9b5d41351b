import type { ContentBudget } from '../pdf/content/content-budget.ts'
import { decodeStream } from '../pdf/filter/decode-stream.ts'
import type { ObjectGraph } from '../pdf/object-graph.ts'
import { appearanceMarks, normalAppearance } from './appearance-marks.ts'
import type { ComparedDocuments } from './compared-documents.ts'
import { paintsPathsOnly } from './content-tokens.ts'
import type { FormNode } from './form-nodes.ts'

/** Whether a widget that is drawn anew has the background and the border of before and nothing else. */
export function staysEmpty(
  { before, after, contentBudget }: ComparedDocuments,
  earlier: FormNode,
  later: FormNode,
): boolean {
  const left = shapesOf(before, earlier, contentBudget)
  return left !== null && left === shapesOf(after, later, contentBudget)
}

/** The paths that are seen in an appearance, to the point; null when there is more than paths, or no appearance. */
function shapesOf(
  graph: ObjectGraph,
  { dictionary }: FormNode,
  budget: ContentBudget,
): string | null {
  const appearance = normalAppearance(graph, dictionary)
  const content = appearance && decodeStream(graph, appearance)
  if (content === null || !paintsPathsOnly(content)) return null
  return (appearanceMarks(graph, dictionary, budget) ?? [])
    .filter(({ visible }) => visible)
    .map(({ box: { left, bottom, right, top }, opaque }) => {
      const corners = [left, bottom, right, top].map(Math.round)
      return `${corners.join(' ')} ${opaque}`
    })
    .join()
}
