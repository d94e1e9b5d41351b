import { ContentBudget } from '../../pdf/content/content-budget.ts'
import type { FontGraph } from '../../pdf/content/content-graph.ts'
import type { PdfDictionary } from '../../pdf/object.ts'
import type { Place } from '../failures.ts'
import type { Validation } from '../validation.ts'
import { FontPrograms } from './font-programs.ts'

/** What judging the fonts of one document takes. */
export interface FontContext {
  readonly validation: Validation
  readonly graph: FontGraph
  readonly programs: FontPrograms
}

export function fontContext(validation: Validation): FontContext {
  const { graph, file } = validation
  const fontGraph: FontGraph = {
    ...(graph.expansionBudget && { expansionBudget: graph.expansionBudget }),
    resolve: (object) => graph.resolve(object),
    contentBudget: new ContentBudget(file.bytes.length),
  }
  return { validation, graph: fontGraph, programs: new FontPrograms(fontGraph) }
}

/** A font dictionary and where it stands. */
export interface FontObject {
  readonly dictionary: PdfDictionary
  readonly place: Place
}

/** How text is shown. */
export interface Showing {
  /** In a mode other than 3 (ISO 32000-2, table 104), which is invisible. */
  readonly isRendered: boolean
  /** Whether marked content around it says what it means (`/ActualText`). */
  readonly hasActualText: boolean
  readonly page: number | null
}

/** A font that shows text: judged when it first does, and then each of its codes once. */
export interface UsedFont {
  /**
   * Called for every string that is shown, as often as it is; an empty one shows the font without any glyph.
   *
   * @param start where the string begins in the bytes
   * @throws {ContentBudgetError} when the document has more fonts than can be read
   */
  show(bytes: Uint8Array, start: number, end: number, showing: Showing): void
  /** What can be said only when all text has been seen. */
  finish(): void
}

/** How a code has been judged: a set of bits. */
export const Judged = { rendered: 1, shown: 2, shownAlone: 4 } as const

/** What has been judged of a code of which nothing is left to judge; of most codes in a string it has. */
export function allJudged({ isRendered }: Showing): number {
  return isRendered ? Judged.rendered | Judged.shownAlone : Judged.shownAlone
}

/** What is to be judged of a code that is shown, in the bits of {@link Judged}; 0 for what has been. */
export function leftToJudge(judged: number, { isRendered, hasActualText }: Showing): number {
  const rendered = isRendered ? Judged.rendered : 0
  // Without replacement text more is asked for.
  const shown = hasActualText ? Judged.shown : Judged.shownAlone
  const isShown = (judged & (shown | Judged.shownAlone)) !== 0
  return (rendered & ~judged) | (isShown ? 0 : shown)
}
