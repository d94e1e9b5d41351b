import { documentCatalog } from '../pdf/catalog.ts'
import { decodeStream } from '../pdf/filter/decode-stream.ts'
import { isName, PdfDictionary, type PdfObject, PdfReference, PdfStream } from '../pdf/object.ts'
import type { ObjectGraph } from '../pdf/object-graph.ts'
import { inheritedAttribute, listPages } from '../pdf/page-tree.ts'
import { dictionaryOf, walkDirect } from '../pdf/walk-direct.ts'

/**
 * Layers (optional content groups, ISO 32000-2, 8.11) that the default configuration hides although something is
 * drawn on them, in ascending order of their object numbers.
 */
export function hiddenLayers(graph: ObjectGraph): number[] {
  const hidden = layersOffByDefault(graph)
  if (hidden.size === 0) return []

  const drawn = new Set<number>()
  const note = (membership: PdfObject | undefined): void => {
    for (const number of groupsOf(graph, membership)) if (hidden.has(number)) drawn.add(number)
  }
  for (const number of graph.numbers()) {
    walkDirect(graph.get(number), (object) => {
      const dictionary = dictionaryOf(object)
      // XObjects and annotations (8.11.3.3); the catalog's and the usage dictionaries have no OC.
      if (dictionary?.has('OC')) note(dictionary.get('OC'))
      if (
        object instanceof PdfStream &&
        isName(graph.resolve(object.dictionary.get('Subtype')), 'Form')
      ) {
        notePropertiesUsed(graph, object.dictionary.get('Resources'), [object], note)
      }
    })
  }
  for (const page of listPages(graph)) {
    const resources = inheritedAttribute(graph, page, 'Resources')
    const contents = graph.resolve(page.dictionary.get('Contents'))
    notePropertiesUsed(graph, resources, Array.isArray(contents) ? contents : [contents], note)
  }
  return [...drawn].sort((a, b) => a - b)
}

/** 8.11.4.3: BaseState, then ON and OFF of the default configuration. */
function layersOffByDefault(graph: ObjectGraph): Set<number> {
  const properties = graph.resolve(documentCatalog(graph).get('OCProperties'))
  if (!(properties instanceof PdfDictionary)) return new Set()
  const configuration = graph.resolve(properties.get('D'))
  if (!(configuration instanceof PdfDictionary)) return new Set()
  const off = new Set(referencesIn(graph, configuration.get('OFF')))
  if (!isName(graph.resolve(configuration.get('BaseState')), 'OFF')) return off

  const on = new Set(referencesIn(graph, configuration.get('ON')))
  for (const number of referencesIn(graph, properties.get('OCGs'))) {
    if (!on.has(number)) off.add(number)
  }
  return off
}

function referencesIn(graph: ObjectGraph, list: PdfObject | undefined): number[] {
  const items = graph.resolve(list)
  if (!Array.isArray(items)) return []
  return items.filter((item) => item instanceof PdfReference).map(({ number }) => number)
}

/** The group itself, or those of a membership dictionary (8.11.2.2). */
function groupsOf(graph: ObjectGraph, membership: PdfObject | undefined): number[] {
  const dictionary = graph.resolve(membership)
  if (!(dictionary instanceof PdfDictionary)) return []
  if (!dictionary.has('OCGs')) {
    return membership instanceof PdfReference ? [membership.number] : []
  }
  const groups = dictionary.get('OCGs')
  return groups instanceof PdfReference && !Array.isArray(graph.resolve(groups))
    ? [groups.number]
    : referencesIn(graph, groups)
}

/** Content marked `/OC /Name BDC`, where `/Name` is one of the resources' property lists (8.11.3.2). */
function notePropertiesUsed(
  graph: ObjectGraph,
  resources: PdfObject | undefined,
  contents: readonly PdfObject[],
  note: (membership: PdfObject) => void,
): void {
  const resolved = graph.resolve(resources)
  if (!(resolved instanceof PdfDictionary)) return
  const properties = graph.resolve(resolved.get('Properties'))
  if (!(properties instanceof PdfDictionary)) return
  for (const item of contents) {
    const stream = graph.resolve(item)
    const bytes = stream instanceof PdfStream ? decodeStream(graph, stream) : null
    if (!bytes) continue
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
    for (const [, name] of text.matchAll(/\/OC\s*\/([^\s()<>[\]{}/%]+)\s+BDC/g)) {
      const membership = name === undefined ? undefined : properties.get(name)
      if (membership !== undefined) note(membership)
    }
  }
}
