import { isName, PdfDictionary, PdfName, PdfReference, PdfStream } from '../object.ts'
import type { PdfObject } from '../object.ts'
import type { ObjectGraph } from '../object-graph.ts'

/**
 * The graph as it is written: the document's own, seen through the few changes that every output needs. The graph
 * itself stays as it is.
 *
 * - The page tree holds each page once, below nodes that say `/Type`, `/Parent` and `/Count` as 7.7.3 wants them;
 *   inherited attributes stand on the pages, as linearization requires (Annex F.3.2 leaves no room for inheriting).
 * - A page outside the page tree is nowhere shown: references to it lead to nothing.
 * - `/Outlines` is indirect; the catalog has no `/Version`, because the header tells the truth.
 * - Object and cross-reference streams of the old file are no part of the document.
 */
export class SettledGraph {
  readonly root: number
  readonly info: number | null
  /** Numbers of the page objects, in page order. */
  readonly pages: readonly number[]
  readonly #graph: ObjectGraph
  /** Changed objects under their own numbers, added ones under negative numbers. */
  readonly #changed = new Map<number, PdfObject>()
  readonly #streams = new Map<PdfStream, number>()
  readonly #pageSet = new Set<number>()

  /** @throws {Error} when the trailer has no `/Root` that is a dictionary with a page tree */
  constructor(graph: ObjectGraph) {
    this.#graph = graph
    const catalog = graph.resolve(graph.trailer.get('Root'))
    if (!(catalog instanceof PdfDictionary)) throw new Error('the document has no catalog')
    const root = this.#numberOf(graph.trailer.get('Root')) ?? this.#add(catalog)
    this.root = root

    const settled = new PdfDictionary(catalog)
    this.#changed.set(root, settled)
    settled.delete('Version')
    this.pages = this.#settlePages(settled)
    this.#settleOutlines(settled)
    for (const [key, value] of settled) {
      // An entry of the catalog that is itself a page has no meaning and would tear the page from its place.
      if (value instanceof PdfReference && this.#pageSet.has(this.locate(value) ?? 0)) {
        settled.delete(key)
      }
    }
    this.info = this.#settleInfo(graph.trailer.get('Info'))
  }

  /** The object under this number, never a reference. */
  get(number: number): PdfObject {
    const changed = this.#changed.get(number)
    return changed === undefined ? this.#graph.get(number) : changed
  }

  resolve(object: PdfObject | undefined): PdfObject {
    if (!(object instanceof PdfReference)) return object ?? null
    const number = this.#numberOf(object)
    return number === null ? null : this.get(number)
  }

  /** The number under which the target is written; null if it is missing, null, or no part of the document. */
  locate(target: PdfReference | PdfStream): number | null {
    if (target instanceof PdfStream) {
      return isContainerStream(target) ? null : this.#numberOfStream(target)
    }
    const number = this.#numberOf(target)
    if (number === null) return null
    const object = this.get(number)
    if (object === null) return null
    if (object instanceof PdfStream) return isContainerStream(object) ? null : number
    if (!(object instanceof PdfDictionary) || this.#pageSet.has(number)) return number
    return this.isPage(object) ? null : number
  }

  /** Whether it calls itself a page; one that stands inside another object is in no page tree. */
  isPage(dictionary: PdfDictionary): boolean {
    return dictionary.has('Type') && isName(this.resolve(dictionary.get('Type')), 'Page')
  }

  /** Follows references to references; null where they lead to nothing. */
  #numberOf(object: PdfObject | undefined): number | null {
    if (!(object instanceof PdfReference)) return null
    if (object.number < 0) return object.number
    if (this.#graph.resolve(object) === null) return null

    let number = object.number
    for (let steps = 0; steps < maximumChain; steps += 1) {
      const target = this.get(number)
      if (!(target instanceof PdfReference)) return number
      number = target.number
    }
    return null
  }

  #add(object: PdfObject): number {
    const number = -1 - this.#changed.size
    this.#changed.set(number, object)
    return number
  }

  /** A stream has to be indirect; one that stands directly in another object gets a number. */
  #numberOfStream(stream: PdfStream): number {
    const known = this.#streams.get(stream)
    if (known !== undefined) return known
    const number = this.#add(stream)
    this.#streams.set(stream, number)
    return number
  }

  #settlePages(catalog: PdfDictionary): number[] {
    const pages: number[] = []
    const top = this.#pageNode(catalog.get('Pages'), new Map(), 0)
    if (!top) throw new Error('the document has no page tree')

    const taken = new Set([this.root, top.number])
    const path = [top]
    for (let node = path.at(-1); node !== undefined; node = path.at(-1)) {
      const kid = node.kids[node.next]
      if (node.next < node.kids.length) {
        node.next += 1
        const child = this.#pageNode(kid, node.attributes, pages.length)
        if (child && !taken.has(child.number)) {
          taken.add(child.number)
          path.push(child)
        } else if (!child) {
          const number = this.#settlePage(kid, node, taken)
          if (number !== null) pages.push(number)
        }
        continue
      }
      path.pop()
      this.#settleNode(node, path.at(-1), pages.length)
    }
    catalog.set('Pages', new PdfReference(top.number, 0))
    for (const page of pages) this.#pageSet.add(page)
    return pages
  }

  /** An intermediate node is what has `/Kids` and does not call itself a page; null for anything else. */
  #pageNode(
    object: PdfObject | undefined,
    inherited: Attributes,
    pagesBefore: number,
  ): PageNode | null {
    const source = this.resolve(object)
    if (!(source instanceof PdfDictionary)) return null
    const kids = this.resolve(source.get('Kids'))
    if (!Array.isArray(kids) || this.isPage(source)) return null
    const attributes = this.#inheritable(source, inherited)
    const number = this.#numberOf(object) ?? this.#add(source)
    return { number, source, kids, attributes, settledKids: [], pagesBefore, next: 0 }
  }

  #inheritable(source: PdfDictionary, inherited: Attributes): Attributes {
    if (!inheritedKeys.some((key) => source.has(key))) return inherited
    const attributes = new Map(inherited)
    for (const key of inheritedKeys) {
      const value = source.get(key) ?? null
      if (this.resolve(value) === null) continue
      // Resources are shared by reference; boxes and angles are no longer than a reference is.
      const shared = value instanceof PdfDictionary ? new PdfReference(this.#add(value), 0) : value
      attributes.set(key, shared)
    }
    return attributes
  }

  #settlePage(kid: PdfObject | undefined, parent: PageNode, taken: Set<number>): number | null {
    const source = this.resolve(kid)
    if (!(source instanceof PdfDictionary)) return null
    const page = new PdfDictionary(source)
    page.delete('Kids')
    page.set('Type', pageType)
    page.set('Parent', new PdfReference(parent.number, 0))
    for (const [key, value] of parent.attributes) {
      if (this.resolve(page.get(key)) === null) page.set(key, value)
    }

    const own = this.#numberOf(kid)
    const number = own === null || taken.has(own) ? this.#add(page) : own
    this.#changed.set(number, page)
    taken.add(number)
    parent.settledKids.push(new PdfReference(number, 0))
    return number
  }

  #settleNode(node: PageNode, parent: PageNode | undefined, pagesSoFar: number): void {
    const settled = new PdfDictionary(node.source)
    for (const key of inheritedKeys) settled.delete(key)
    settled.set('Type', pagesType)
    settled.set('Kids', node.settledKids)
    settled.set('Count', pagesSoFar - node.pagesBefore)
    if (parent) settled.set('Parent', new PdfReference(parent.number, 0))
    else settled.delete('Parent')
    this.#changed.set(node.number, settled)
    if (parent && node.settledKids.length > 0) {
      parent.settledKids.push(new PdfReference(node.number, 0))
    }
  }

  #settleOutlines(catalog: PdfDictionary): void {
    const outlines = catalog.get('Outlines')
    if (outlines === undefined || outlines instanceof PdfReference) {
      if (!(this.resolve(outlines) instanceof PdfDictionary)) catalog.delete('Outlines')
      return
    }
    if (outlines instanceof PdfDictionary) {
      catalog.set('Outlines', new PdfReference(this.#add(outlines), 0))
    } else catalog.delete('Outlines')
  }

  #settleInfo(info: PdfObject | undefined): number | null {
    if (!(this.resolve(info) instanceof PdfDictionary)) return null
    if (info instanceof PdfDictionary) return this.#add(info)
    const number = info instanceof PdfReference ? this.locate(info) : null
    return number === null || this.#pageSet.has(number) ? null : number
  }
}

type Attributes = ReadonlyMap<string, PdfObject>

interface PageNode {
  readonly number: number
  readonly source: PdfDictionary
  readonly kids: readonly PdfObject[]
  readonly attributes: Attributes
  readonly settledKids: PdfReference[]
  readonly pagesBefore: number
  next: number
}

/** 7.7.3.4. */
const inheritedKeys = ['CropBox', 'MediaBox', 'Resources', 'Rotate'] as const
const pageType = new PdfName('Page')
const pagesType = new PdfName('Pages')
/** References to references are not meant to exist at all. */
const maximumChain = 1_000

function isContainerStream({ dictionary }: PdfStream): boolean {
  const type = dictionary.get('Type')
  return isName(type, 'ObjStm') || isName(type, 'XRef')
}
