import { documentCatalog } from '../pdf/catalog.ts'
import { isName, PdfDictionary, type PdfObject, PdfReference, PdfStream } from '../pdf/object.ts'
import type { ObjectGraph } from '../pdf/object-graph.ts'
import { inheritedAttribute, type PdfPage } from '../pdf/page-tree.ts'

const shownTypes = [
  'Catalog',
  'Pages',
  'Page',
  'XObject',
  'Font',
  'FontDescriptor',
  'Annot',
  'Pattern',
]
const hiddenTypes = ['Metadata', 'XRef', 'ObjStm', 'EmbeddedFile']

/** Whether it is of a kind that decides what pages show. A stream without a type may be content. */
export function isShown(object: PdfObject): boolean {
  const isStream = object instanceof PdfStream
  const dictionary = isStream ? object.dictionary : object
  if (!(dictionary instanceof PdfDictionary)) return false
  const type = dictionary.get('Type')
  if (isStream) return !hiddenTypes.some((hidden) => isName(type, hidden))
  return shownTypes.some((shown) => isName(type, shown))
}

/** What the pages are made of, by object number, as far as it is numbered. */
export interface PageParts {
  /** The catalog and the nodes of the page tree; pages with their place in the document. */
  readonly structure: ReadonlyMap<number, number | null>
  /** Content streams, and the forms and images of the pages' own resources; with the page that first shows them. */
  readonly streams: ReadonlyMap<number, number>
  /** Resource dictionaries of pages that are objects of their own, and the XObject dictionaries in them. */
  readonly resources: ReadonlySet<number>
  /** What pages refer to and the file does not have. */
  readonly missing: ReadonlySet<number>
}

export function partsOf(graph: ObjectGraph, pages: readonly PdfPage[]): PageParts {
  const structure = new Map<number, number | null>()
  const streams = new Map<number, number>()
  const named = new Set<number>()
  const missing = new Set<number>()
  const note = (reference: PdfObject | undefined): void => {
    if (reference instanceof PdfReference) structure.set(reference.number, null)
  }
  const show = (reference: PdfObject, page: number): void => {
    if (!(reference instanceof PdfReference)) return
    if (!graph.has(reference.number)) missing.add(reference.number)
    else if (!streams.has(reference.number)) streams.set(reference.number, page)
  }

  note(graph.trailer.get('Root'))
  note(documentCatalog(graph).get('Pages'))
  const resourcesSeen = new Set<PdfObject>()
  for (const [index, page] of pages.entries()) {
    const { dictionary, reference } = page
    if (reference !== null) structure.set(reference.number, index + 1)
    for (
      let parent = dictionary.get('Parent');
      parent instanceof PdfReference && !structure.has(parent.number);
    ) {
      note(parent)
      const node = graph.get(parent.number)
      parent = node instanceof PdfDictionary ? node.get('Parent') : undefined
    }

    const contents = dictionary.get('Contents') ?? null
    const target = graph.resolve(contents)
    if (Array.isArray(target)) for (const item of target) show(item, index + 1)
    else show(contents, index + 1)

    for (const node of [dictionary, ...page.ancestors]) {
      const own = node.get('Resources')
      if (own instanceof PdfReference) named.add(own.number)
    }
    const resources = inheritedAttribute(graph, page, 'Resources')
    if (!(resources instanceof PdfDictionary) || resourcesSeen.has(resources)) continue
    resourcesSeen.add(resources)
    const listed = resources.get('XObject')
    if (listed instanceof PdfReference) named.add(listed.number)
    const drawn = graph.resolve(listed)
    if (drawn instanceof PdfDictionary) for (const item of drawn.values()) show(item, index + 1)
  }
  return { structure, streams, resources: named, missing }
}
