import { type Drawing, maskGroup, stateFont, topDrawings } from '../content/drawing.ts'
import { GlyphSearch } from './glyph-search.ts'
import { PdfDictionary, type PdfObject, PdfReference, PdfStream } from '../object.ts'
import type { ObjectGraph } from '../object-graph.ts'

/** A font dictionary and, if it is numbered, its object number. */
interface FontResource {
  readonly dictionary: PdfDictionary
  readonly objectNumber: number | null
}

interface ResourceNode {
  readonly resources: PdfDictionary
  readonly fonts: readonly FontResource[]
  readonly parents: ResourceNode[]
}

/**
 * The fonts of a document as its drawings use them: of pages, annotation appearances, form XObjects, soft masks, tiling patterns and
 * Type 3 glyphs.
 */
export interface FontUse {
  /** All that some drawing's resources name. */
  readonly fonts: readonly FontResource[]
  /** Those of the candidates that some drawing shows glyphs with, in a mode other than invisible (9.3.6). */
  showing(isCandidate: (font: PdfDictionary) => boolean): FontResource[]
}

export function fontUse(graph: ObjectGraph): FontUse {
  const drawings = topDrawings(graph)
  const nodes = resourceNodes(graph, drawings)
  const fonts = new Map<PdfDictionary, FontResource>()
  for (const node of nodes.values()) {
    for (const font of node.fonts) if (!fonts.has(font.dictionary)) fonts.set(font.dictionary, font)
  }
  return {
    fonts: [...fonts.values()],
    showing(isCandidate) {
      const candidates = new Set([...fonts.keys()].filter(isCandidate))
      if (candidates.size === 0) return []
      const reaching = reachingResources(nodes, candidates)
      const shown = new GlyphSearch(graph, candidates, reaching).run(drawings)
      return [...fonts.values()].filter(({ dictionary }) => shown.has(dictionary))
    },
  }
}

/** Every resource dictionary that a drawing can come to, with the ones that lead to it. */
function resourceNodes(
  graph: ObjectGraph,
  drawings: readonly Drawing[],
): Map<PdfDictionary, ResourceNode> {
  const nodes = new Map<PdfDictionary, ResourceNode>()
  const pending: { resources: PdfDictionary; parent: ResourceNode | null }[] = drawings.map(
    ({ resources }) => ({ resources, parent: null }),
  )
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { resources, parent } = next
    const known = nodes.get(resources)
    if (known) {
      if (parent) known.parents.push(parent)
      continue
    }
    const fonts = fontsIn(graph, resources)
    const node = { resources, fonts, parents: parent ? [parent] : [] }
    nodes.set(resources, node)
    for (const child of childResources(graph, resources, fonts)) {
      pending.push({ resources: child, parent: node })
    }
  }
  return nodes
}

function entries(graph: ObjectGraph, resources: PdfDictionary, category: string): PdfObject[] {
  const named = graph.resolve(resources.get(category))
  return named instanceof PdfDictionary ? [...named.values()] : []
}

function fontsIn(graph: ObjectGraph, resources: PdfDictionary): FontResource[] {
  const references = entries(graph, resources, 'Font')
  for (const state of entries(graph, resources, 'ExtGState')) {
    const font = stateFont(graph, graph.resolve(state))
    if (font !== undefined) references.push(font)
  }
  return references.flatMap((reference) => {
    const dictionary = graph.resolve(reference)
    if (!(dictionary instanceof PdfDictionary)) return []
    const objectNumber = reference instanceof PdfReference ? reference.number : null
    return [{ dictionary, objectNumber }]
  })
}

function childResources(
  graph: ObjectGraph,
  resources: PdfDictionary,
  fonts: readonly FontResource[],
): PdfDictionary[] {
  const holders: PdfObject[] = fonts.map(({ dictionary }) => dictionary)
  for (const category of ['XObject', 'Pattern']) {
    for (const item of entries(graph, resources, category)) holders.push(graph.resolve(item))
  }
  for (const state of entries(graph, resources, 'ExtGState')) {
    holders.push(maskGroup(graph, graph.resolve(state)))
  }
  return holders.flatMap((holder) => {
    const dictionary = holder instanceof PdfStream ? holder.dictionary : holder
    const own =
      dictionary instanceof PdfDictionary ? graph.resolve(dictionary.get('Resources')) : null
    return own instanceof PdfDictionary ? [own] : []
  })
}

/** The resources from which a candidate can be come to. */
function reachingResources(
  nodes: ReadonlyMap<PdfDictionary, ResourceNode>,
  candidates: ReadonlySet<PdfDictionary>,
): ReadonlySet<PdfDictionary> {
  const reaching = new Set<PdfDictionary>()
  const pending = [...nodes.values()].filter(({ fonts }) =>
    fonts.some(({ dictionary }) => candidates.has(dictionary)),
  )
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (reaching.has(node.resources)) continue
    reaching.add(node.resources)
    for (const parent of node.parents) pending.push(parent)
  }
  return reaching
}
