import type { PdfObject } from '../../pdf/object.ts'
import type { Place } from '../failures.ts'
import { checkUnicodeName } from '../text-rules.ts'
import type { FontContext } from './font-context.ts'
import { nameAt } from './font-entries.ts'

/** The value of `/BaseFont`, or of `/Name` of a Type 3 font. */
export function checkFontName(
  { validation, graph }: FontContext,
  object: PdfObject | undefined,
  place: Place,
): void {
  const name = nameAt(graph, object)
  if (name !== null) checkUnicodeName(validation, name, place)
}
