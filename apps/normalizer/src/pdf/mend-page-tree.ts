import { documentCatalog } from './catalog.ts'
import {
  isName,
  PdfDictionary,
  PdfName,
  PdfReference,
  PdfStream,
  type PdfObject,
} from './object.ts'
import type { ObjectGraph } from './object-graph.ts'
import { mendPageContents } from './mend-page-contents.ts'
import { maxPageTreeDepth } from './page-tree.ts'
import { ResourceLimitError } from './reading/read-limits.ts'

export interface MendedPageTree {
  readonly pages: number
  /** Whether anything had to be changed. */
  readonly mended: boolean
}

/**
 * Makes the page tree follow ISO 32000-2, 7.7.3: each node once and indirect, with its /Type, /Parent and /Count.
 * Pages that no tree holds any more are put into a new one. Of a document without any page the tree is left as it is.
 *
 * @throws {ResourceLimitError} when the tree is too deep, or one page is used too often
 */
export function mendPageTree(graph: ObjectGraph): MendedPageTree {
  const mending = new Mending(graph)
  const catalog = documentCatalog(graph)
  mending.makeRootIndirect()
  mending.setName(catalog, 'Type', 'Catalog')

  const nodes = mending.collect(catalog.get('Pages') ?? null)
  const pages = nodes.filter(({ kids }) => kids === null)
  const [top] = nodes
  if (pages.length > 0 && top?.kids !== null) {
    mending.settle(catalog, nodes)
    return { pages: pages.length, mended: mending.mended }
  }

  // A catalog may also refer to its only page instead of a tree.
  const lost = top?.kids === null ? [top.reference] : lostPages(graph)
  if (lost.length === 0) return { pages: 0, mended: mending.mended }
  const root = new PdfDictionary([['Kids', lost]])
  const rebuilt = mending.collect(graph.add(root))
  mending.settle(catalog, rebuilt)
  return { pages: lost.length, mended: true }
}

interface TreeNode {
  readonly reference: PdfReference
  readonly dictionary: PdfDictionary
  readonly parent: TreeNode | null
  readonly depth: number
  /** The children that are kept; null for a page. */
  readonly kids: PdfReference[] | null
  pages: number
}

/** Begins as a key that decides what the page shows, and goes on with bytes at which some readers end a name. */
export function isOddPageKey(key: string): boolean {
  if (!/[^\x21-\x7e]/.test(key)) return false
  return /^(Annots|Contents|Kids|MediaBox|Parent|Resources|Type)/.test(key)
}

/** One page may stand at several places; more often than this is no document. */
const maxCopies = 10_000

class Mending {
  mended = false
  readonly #graph: ObjectGraph
  #copies = 0

  constructor(graph: ObjectGraph) {
    this.#graph = graph
  }

  /** The nodes from the root on, parents before their children, in document order. */
  collect(root: PdfObject): TreeNode[] {
    const nodes: TreeNode[] = []
    const visited = new Set<PdfDictionary>()
    const pending: { object: PdfObject; parent: TreeNode | null }[] = [
      { object: root, parent: null },
    ]
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const found = this.#node(next.object, visited)
      if (found === null) {
        this.mended = true
        continue
      }

      const { parent } = next
      const depth = parent === null ? 0 : parent.depth + 1
      if (depth > maxPageTreeDepth) {
        throw new ResourceLimitError(`The page tree is deeper than ${maxPageTreeDepth}`)
      }
      const kids = kidsOf(this.#graph, found.dictionary)
      const node: TreeNode = {
        ...found,
        parent,
        depth,
        kids: kids === null ? null : [],
        pages: kids === null ? 1 : 0,
      }
      nodes.push(node)
      parent?.kids?.push(node.reference)
      for (const object of kids?.toReversed() ?? []) pending.push({ object, parent: node })
    }
    return nodes
  }

  /** Writes what was collected back. */
  settle(catalog: PdfDictionary, nodes: readonly TreeNode[]): void {
    for (const { parent, pages } of nodes.toReversed()) if (parent !== null) parent.pages += pages
    const root = nodes[0]
    if (root === undefined) return
    this.#setReference(catalog, 'Pages', root.reference)

    for (const { dictionary, parent, kids, pages } of nodes) {
      if (parent !== null) this.#setReference(dictionary, 'Parent', parent.reference)
      else if (dictionary.delete('Parent')) this.mended = true
      if (kids === null) {
        this.setName(dictionary, 'Type', 'Page')
        this.#giveMediaBox(dictionary, parent)
        this.#dropOddKeys(dictionary)
        if (mendPageContents(this.#graph, dictionary)) this.mended = true
        continue
      }
      this.setName(dictionary, 'Type', 'Pages')
      if (this.#graph.resolve(dictionary.get('Count')) !== pages) {
        dictionary.set('Count', pages)
        this.mended = true
      }
      if (!sameKids(this.#graph.resolve(dictionary.get('Kids')), kids)) {
        dictionary.set('Kids', kids)
        this.mended = true
      }
    }
  }

  /** 7.5.5: the trailer refers to the catalog. */
  makeRootIndirect(): void {
    const { trailer } = this.#graph
    const root = trailer.get('Root')
    if (!(root instanceof PdfDictionary)) return
    trailer.set('Root', this.#graph.add(root))
    this.mended = true
  }

  setName(dictionary: PdfDictionary, key: string, value: string): void {
    if (isName(this.#graph.resolve(dictionary.get(key)), value)) return
    dictionary.set(key, new PdfName(value))
    this.mended = true
  }

  /** A node as an indirect dictionary; null for what cannot be one, or for an intermediate node met before. */
  #node(
    object: PdfObject,
    visited: Set<PdfDictionary>,
  ): { reference: PdfReference; dictionary: PdfDictionary } | null {
    const graph = this.#graph
    const target = graph.resolve(object)
    // A page that was written as a stream is still the dictionary that viewers show.
    const dictionary = target instanceof PdfStream ? target.dictionary : target
    if (!(dictionary instanceof PdfDictionary)) return null
    // A catalog that is a page, too, would be one or the other for each reader.
    if (dictionary === documentCatalog(graph)) return null
    const isPage = kidsOf(graph, dictionary) === null
    if (isPage && !isPageLike(graph, dictionary)) return null

    if (visited.has(dictionary)) {
      if (!isPage) return null
      this.mended = true
      if (++this.#copies > maxCopies) {
        throw new ResourceLimitError(`Pages are used again more than ${maxCopies} times`)
      }
      const copy = new PdfDictionary(dictionary)
      return { reference: graph.add(copy), dictionary: copy }
    }

    visited.add(dictionary)
    const reference = lastReference(graph, object)
    if (reference === null) {
      this.mended = true
      return { reference: graph.add(dictionary), dictionary }
    }
    if (target !== dictionary) {
      graph.set(reference.number, dictionary)
      this.mended = true
    }
    return { reference, dictionary }
  }

  #setReference(dictionary: PdfDictionary, key: string, reference: PdfReference): void {
    const current = dictionary.get(key)
    if (current instanceof PdfReference && current.number === reference.number) return
    dictionary.set(key, reference)
    this.mended = true
  }

  #dropOddKeys(page: PdfDictionary): void {
    for (const key of page.keys()) if (isOddPageKey(key) && page.delete(key)) this.mended = true
  }

  /** 7.7.3.3 requires a media box; viewers take US Letter where there is none. */
  #giveMediaBox(page: PdfDictionary, parent: TreeNode | null): void {
    const graph = this.#graph
    if (Array.isArray(graph.resolve(page.get('MediaBox')))) return
    for (let node = parent; node !== null; node = node.parent) {
      if (Array.isArray(graph.resolve(node.dictionary.get('MediaBox')))) return
    }
    page.set('MediaBox', [0, 0, 612, 792])
    this.mended = true
  }
}

/** null for a page: told by its /Type, or by having no /Kids. */
function kidsOf(graph: ObjectGraph, node: PdfDictionary): PdfObject[] | null {
  const type = graph.resolve(node.get('Type'))
  const kids = graph.resolve(node.get('Kids'))
  if (isName(type, 'Page')) return null
  if (Array.isArray(kids)) return kids
  return isName(type, 'Pages') ? [] : null
}

function isPageLike(graph: ObjectGraph, node: PdfDictionary): boolean {
  if (isName(graph.resolve(node.get('Type')), 'Page')) return true
  return ['Contents', 'MediaBox', 'Resources', 'Parent'].some((key) => node.has(key))
}

/** The reference behind which the object itself stands; null for a direct object. */
function lastReference(graph: ObjectGraph, object: PdfObject): PdfReference | null {
  let reference: PdfReference | null = null
  let current: PdfObject = object
  const visited = new Set<number>()
  while (current instanceof PdfReference && !visited.has(current.number)) {
    visited.add(current.number)
    reference = current
    current = graph.get(current.number)
  }
  return reference
}

function sameKids(kids: PdfObject, wanted: readonly PdfReference[]): boolean {
  if (!Array.isArray(kids) || kids.length !== wanted.length) return false
  return kids.every((kid, i) => kid instanceof PdfReference && kid.number === wanted[i]?.number)
}

/** Pages among all objects, in the order of their numbers. */
function lostPages(graph: ObjectGraph): PdfReference[] {
  const pages: PdfReference[] = []
  for (const number of graph.numbers()) {
    const object = graph.get(number)
    if (object instanceof PdfDictionary && isName(graph.resolve(object.get('Type')), 'Page')) {
      pages.push(new PdfReference(number, graph.generation(number)))
    }
  }
  return pages
}
