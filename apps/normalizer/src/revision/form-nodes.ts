import { documentCatalog } from '../pdf/catalog.ts'
import {
  isName,
  PdfDictionary,
  PdfName,
  type PdfObject,
  PdfReference,
  PdfString,
} from '../pdf/object.ts'
import type { ObjectGraph } from '../pdf/object-graph.ts'
import type { PdfPage } from '../pdf/page-tree.ts'
import { decodeTextString } from '../pdf/text-string.ts'
import { type PageAnnotation, pageAnnotations } from './page-annotations.ts'

/** A field, a widget, or both in one dictionary (ISO 32000-2, 12.7.4.1), with what it inherits. */
export interface FormNode {
  readonly dictionary: PdfDictionary
  /** null for a direct object. */
  readonly number: number | null
  /** The full name of the field that it is or shows. */
  readonly name: string
  /** `/FT`. */
  readonly type: string | null
  /** The field's `/V`, as it stands where it is given. */
  readonly value: PdfObject
  /** Whether the form knows it; widgets may stand on a page only. */
  readonly inForm: boolean
  /** A field of its own, not one more widget of the field above it. */
  readonly isField: boolean
  /** Index of the first page that shows it; null if none does. */
  readonly pageIndex: number | null
}

/** Fields and widgets that are looked at. */
const maxNodes = 200_000

/** Every field of the form and every widget of a page, by number; direct ones by their place. */
export function formNodes(graph: ObjectGraph, pages: readonly PdfPage[]): Map<string, FormNode> {
  const shownOn = widgetPages(graph, pages)
  const nodes = new Map<string, FormNode>()
  const form = graph.resolve(documentCatalog(graph).get('AcroForm'))
  const roots = form instanceof PdfDictionary ? graph.resolve(form.get('Fields')) : null
  walkForm(graph, Array.isArray(roots) ? roots : [], shownOn, nodes)

  for (const [key, { object: number, dictionary, pageIndex }] of shownOn) {
    if (nodes.has(key) || nodes.size >= maxNodes) continue
    const inherited = inheritedFromParents(graph, dictionary)
    nodes.set(key, { dictionary, number, ...inherited, inForm: false, isField: true, pageIndex })
  }
  return nodes
}

interface ShownWidget extends PageAnnotation {
  readonly pageIndex: number
}

function widgetPages(graph: ObjectGraph, pages: readonly PdfPage[]): Map<string, ShownWidget> {
  const shown = new Map<string, ShownWidget>()
  for (const [pageIndex, page] of pages.entries()) {
    for (const [key, annotation] of pageAnnotations(graph, page)) {
      if (!isName(graph.resolve(annotation.dictionary.get('Subtype')), 'Widget')) continue
      if (!shown.has(key)) shown.set(key, { ...annotation, pageIndex })
    }
  }
  return shown
}

interface PendingNode {
  readonly object: PdfObject
  readonly path: string
  readonly parent: Pick<FormNode, 'name' | 'type' | 'value'>
}

function walkForm(
  graph: ObjectGraph,
  roots: readonly PdfObject[],
  shownOn: ReadonlyMap<string, ShownWidget>,
  nodes: Map<string, FormNode>,
): void {
  const seen = new Set<PdfDictionary>()
  const top = { name: '', type: null, value: null }
  const pending: PendingNode[] = roots.map((object, index) => ({
    object,
    path: `field ${index}`,
    parent: top,
  }))
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { object, parent } = next
    const dictionary = graph.resolve(object)
    if (!(dictionary instanceof PdfDictionary) || seen.has(dictionary)) continue
    if (seen.size >= maxNodes) return
    seen.add(dictionary)

    const inherited = withOwn(graph, dictionary, parent)
    const number = object instanceof PdfReference ? object.number : null
    const key = number === null ? next.path : String(number)
    const isField = parent === top || dictionary.has('T')
    const pageIndex = shownOn.get(key)?.pageIndex ?? null
    nodes.set(key, { dictionary, number, ...inherited, inForm: true, isField, pageIndex })

    const kids = graph.resolve(dictionary.get('Kids'))
    if (!Array.isArray(kids)) continue
    for (const [index, kid] of kids.entries())
      pending.push({ object: kid, path: `${key} ${index}`, parent: inherited })
  }
}

type Inherited = Pick<FormNode, 'name' | 'type' | 'value'>

function withOwn(graph: ObjectGraph, dictionary: PdfDictionary, parent: Inherited): Inherited {
  const partial = graph.resolve(dictionary.get('T'))
  const own = partial instanceof PdfString ? decodeTextString(partial) : null
  const type = graph.resolve(dictionary.get('FT'))
  return {
    name: own === null ? parent.name : parent.name === '' ? own : `${parent.name}.${own}`,
    type: type instanceof PdfName ? type.value : parent.type,
    value: dictionary.get('V') ?? parent.value,
  }
}

/** For a widget that the form does not lead to. */
function inheritedFromParents(graph: ObjectGraph, widget: PdfDictionary): Inherited {
  const chain: PdfDictionary[] = []
  const seen = new Set<PdfDictionary>()
  let node: PdfObject = widget
  while (node instanceof PdfDictionary && !seen.has(node) && chain.length < 100) {
    seen.add(node)
    chain.push(node)
    node = graph.resolve(node.get('Parent'))
  }
  let inherited: Inherited = { name: '', type: null, value: null }
  for (const dictionary of chain.toReversed()) inherited = withOwn(graph, dictionary, inherited)
  return inherited
}
