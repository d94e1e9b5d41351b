import { PdfDictionary, PdfName, type PdfObject } from '../pdf/object.ts'
import type { ObjectGraph } from '../pdf/object-graph.ts'
import { walkDirect } from '../pdf/walk-direct.ts'

/** Actions by which a document does something outside of itself (ISO 32000-2, 12.6.4). */
const dangerousActions: ReadonlySet<string> = new Set([
  'JavaScript',
  'Launch',
  'SubmitForm',
  'ImportData',
  'GoToE',
  'GoToR',
  'Rendition',
  'RichMediaExecute',
])
const richAnnotations: ReadonlySet<string> = new Set([
  'RichMedia',
  '3D',
  'Screen',
  'Movie',
  'Sound',
])

/** What kinds of actions, embedded files and rich media stand directly in an object, such as `JavaScript`. */
export function activeKinds(graph: ObjectGraph, object: PdfObject): Set<string> {
  const kinds = new Set<string>()
  walkDirect(object, (part) => {
    const kind = part instanceof PdfDictionary ? activeKind(graph, part) : null
    if (kind !== null) kinds.add(kind)
  })
  return kinds
}

function activeKind(graph: ObjectGraph, dictionary: PdfDictionary): string | null {
  const action = graph.resolve(dictionary.get('S'))
  if (action instanceof PdfName && dangerousActions.has(action.value)) return action.value
  const subtype = graph.resolve(dictionary.get('Subtype'))
  if (subtype instanceof PdfName && richAnnotations.has(subtype.value)) return 'RichMedia'
  return dictionary.has('EF') ? 'EmbeddedFile' : null
}
