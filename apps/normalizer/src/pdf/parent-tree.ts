import { documentCatalog } from './catalog.ts'
import { PdfDictionary, type PdfObject } from './object.ts'
import type { ObjectGraph } from './object-graph.ts'

/** What the structure tree's `/ParentTree` (ISO 32000-2, 14.7.5.4) has under each key. */
export function parentTreeEntries(graph: ObjectGraph): Map<number, PdfObject> {
  const entries = new Map<number, PdfObject>()
  for (const { list } of nodesOf(graph, 'ParentTree', 'Nums')) {
    for (let at = 0; at + 1 < list.length; at += 2) {
      const key = graph.resolve(list[at])
      if (typeof key === 'number') entries.set(key, list[at + 1] ?? null)
    }
  }
  return entries
}

/** The arrays of it. The place of an element in them is the identifier of its marked content: none may close up. */
export function parentArrays(graph: ObjectGraph): Set<PdfObject> {
  const values = [...parentTreeEntries(graph).values()].map((value) => graph.resolve(value))
  return new Set(values.filter((value) => Array.isArray(value)))
}

/**
 * Takes entries that lead nowhere out of the structure tree's `/ParentTree` and `/IDTree`, and those of keys that
 * nothing has as its `/StructParent` any more. Leaves without entries go, and `/Limits` follow.
 */
export function tidyStructureTrees(graph: ObjectGraph, unusedKeys: ReadonlySet<number>): void {
  tidyTree(graph, 'ParentTree', 'Nums', (key) => typeof key === 'number' && unusedKeys.has(key))
  tidyTree(graph, 'IDTree', 'Names', () => false)
}

type ListKey = 'Nums' | 'Names'

interface TreeNode {
  readonly node: PdfDictionary
  /** Keys and values in turns; empty in a node of kids. */
  readonly list: PdfObject[]
  readonly kids: PdfObject[]
}

/** The nodes of a number tree or name tree (7.9.6, 7.9.7), those that hold others before what they hold. */
function nodesOf(graph: ObjectGraph, tree: string, listKey: ListKey): TreeNode[] {
  const structure = graph.resolve(documentCatalog(graph).get('StructTreeRoot'))
  if (!(structure instanceof PdfDictionary)) return []
  const nodes: TreeNode[] = []
  const seen = new Set<PdfObject>()
  const pending: PdfObject[] = [structure.get(tree) ?? null]
  while (pending.length > 0) {
    const node = graph.resolve(pending.pop())
    if (!(node instanceof PdfDictionary) || seen.has(node)) continue
    seen.add(node)
    const list = graph.resolve(node.get(listKey))
    const kids = graph.resolve(node.get('Kids'))
    nodes.push({
      node,
      list: Array.isArray(list) ? list : [],
      kids: Array.isArray(kids) ? kids : [],
    })
    if (Array.isArray(kids)) for (const kid of kids) pending.push(kid)
  }
  return nodes
}

function tidyTree(
  graph: ObjectGraph,
  tree: string,
  listKey: ListKey,
  isUnused: (key: PdfObject) => boolean,
): void {
  const nodes = nodesOf(graph, tree, listKey)
  const empty = new Set<PdfObject>()
  const changed = new Set<PdfObject>()
  // From the leaves up.
  for (const { node, list, kids } of nodes.toReversed()) {
    const keptPairs: PdfObject[] = []
    for (let at = 0; at + 1 < list.length; at += 2) {
      const [key, value] = [list[at] ?? null, list[at + 1] ?? null]
      if (graph.resolve(value) !== null && !isUnused(graph.resolve(key))) keptPairs.push(key, value)
    }
    const keptKids = kids.filter((kid) => !empty.has(graph.resolve(kid)))
    const isChanged =
      keptPairs.length < list.length ||
      keptKids.length < kids.length ||
      kids.some((kid) => changed.has(graph.resolve(kid)))
    if (!isChanged) continue
    changed.add(node)
    replaceItems(list, keptPairs)
    replaceItems(kids, keptKids)
    if (list.length === 0 && kids.length === 0) empty.add(node)
    if (node.has('Limits')) node.set('Limits', limitsOf(graph, list, kids))
  }
}

function replaceItems(array: PdfObject[], items: readonly PdfObject[]): void {
  array.length = 0
  for (const item of items) array.push(item)
}

/** 7.9.6, table 36: the least and the greatest key. */
function limitsOf(
  graph: ObjectGraph,
  list: readonly PdfObject[],
  kids: readonly PdfObject[],
): PdfObject[] {
  if (list.length > 0) return [list[0] ?? null, list.at(-2) ?? null]
  const limits = [kids[0], kids.at(-1)].map((kid, index) => {
    const node = graph.resolve(kid)
    const ofKid = node instanceof PdfDictionary ? graph.resolve(node.get('Limits')) : null
    return Array.isArray(ofKid) ? (ofKid[index] ?? null) : null
  })
  return limits
}
