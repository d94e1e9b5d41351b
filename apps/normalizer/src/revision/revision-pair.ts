import type { ObjectGraph } from '../pdf/object-graph.ts'
import type { CrossReferenceSection, PdfFile } from '../pdf/pdf-file.ts'
import { StateGraph } from './state-graph.ts'

/** A document before and after updates. */
export interface RevisionPair {
  readonly before: ObjectGraph
  readonly after: ObjectGraph
  /** The numbers that the updates wrote or freed; null when that cannot be told, and all may differ. */
  readonly touched: ReadonlySet<number> | null
}

/** A file up to the end of a revision, with its objects. */
export interface DocumentState {
  readonly file: PdfFile
  readonly graph: ObjectGraph
}

/**
 * An earlier state of a file. What no update touched is the same object in all its states, so that it is read once and
 * that most of a comparison is one of identity.
 */
export function stateOf(earlier: PdfFile, whole: PdfFile): DocumentState {
  const touched = touchedNumbers(earlier, whole)
  const graph = touched === null ? earlier.graph : new StateGraph(earlier, whole, touched)
  return { file: earlier, graph }
}

export function revisionPair(before: DocumentState, after: DocumentState): RevisionPair {
  const touched = touchedNumbers(before.file, after.file)
  return { before: before.graph, after: after.graph, touched }
}

function touchedNumbers(before: PdfFile, after: PdfFile): Set<number> | null {
  if (before.repairs.crossReferenceRebuilt || after.repairs.crossReferenceRebuilt) return null
  const known = new Set(before.sections.map(({ offset }) => offset))
  const added = after.sections.filter(({ offset }) => !known.has(offset))
  if (after.sections.length - added.length !== before.sections.length) return null

  const touched = new Set<number>()
  for (const { entries } of added) for (const number of entries.keys()) touched.add(number)
  for (const section of before.sections) addMembersOfTouchedStreams(section, touched)
  return touched
}

/** Objects move with the object stream in which they stand. */
function addMembersOfTouchedStreams(
  { entries }: CrossReferenceSection,
  touched: Set<number>,
): void {
  for (const [number, entry] of entries) {
    if (entry.kind === 'compressed' && touched.has(entry.objectStream)) touched.add(number)
  }
}
