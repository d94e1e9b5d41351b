import { PdfDictionary, PdfReference, PdfStream, type PdfObject } from './object.ts'
import type { ObjectGraph } from './object-graph.ts'

/** What {@link walkReachable} tells about the numbered objects it comes to. */
export interface ReachableVisitor {
  /** Each numbered object once, in the order in which it is reached; null when the reference is dangling. */
  object?(number: number, object: PdfObject): void
  /** Each array, dictionary and stream once, direct ones too. */
  container?(container: PdfObject[] | PdfDictionary | PdfStream, number: number): void
  /** Each reference, wherever it leads. */
  reference?(reference: PdfReference): void
}

/**
 * Goes through everything that can be reached from the trailer (`/Root`, `/Info`, …) or from `roots`, each object once,
 * breadth first. Safe against cycles and depth.
 */
export function walkReachable(
  graph: ObjectGraph,
  visitor: ReachableVisitor,
  roots: readonly PdfObject[] = trailerRoots(graph),
): ReadonlySet<number> {
  const reached = new Set<number>()
  let level: { object: PdfObject; number: number }[] = []
  const meet = (object: PdfObject, number: number, next: typeof level): void => {
    if (!(object instanceof PdfReference)) {
      if (typeof object === 'object' && object !== null) next.push({ object, number })
      return
    }
    visitor.reference?.(object)
    if (reached.has(object.number)) return
    reached.add(object.number)
    const target = graph.get(object.number)
    visitor.object?.(object.number, target)
    if (target instanceof PdfReference || (typeof target === 'object' && target !== null)) {
      next.push({ object: target, number: object.number })
    }
  }

  for (const root of roots) meet(root, 0, level)
  while (level.length > 0) {
    const next: typeof level = []
    for (const { object, number } of level) {
      if (object instanceof PdfReference) {
        meet(object, number, next)
        continue
      }
      if (Array.isArray(object)) {
        visitor.container?.(object, number)
        for (const element of object) meet(element, number, next)
        continue
      }
      const dictionary = object instanceof PdfStream ? object.dictionary : object
      if (!(dictionary instanceof PdfDictionary)) continue
      visitor.container?.(object instanceof PdfStream ? object : dictionary, number)
      for (const value of dictionary.values()) meet(value, number, next)
    }
    level = next
  }
  return reached
}

/** What the trailer refers to and a document consists of. */
function trailerRoots(graph: ObjectGraph): PdfObject[] {
  return ['Root', 'Info'].flatMap((key) => graph.trailer.get(key) ?? [])
}
