import type { PdfObject } from '../pdf/object.ts'
import type { PdfFile } from '../pdf/pdf-file.ts'
import { EndOfStreamFinder } from '../pdf/reading/end-of-stream.ts'
import { readIndirectObject, type ReadingContext } from '../pdf/reading/indirect-object.ts'
import {
  defaultReadLimits,
  ExpansionBudget,
  ParseBudget,
  ResourceLimitError,
} from '../pdf/reading/read-limits.ts'

/**
 * Reads objects from where their headers stand, whatever the cross-reference says: undefined where none can be read,
 * and when all that was read comes to more than some passes over the file.
 */
export function objectReader({ bytes, graph }: PdfFile): (offset: number) => PdfObject | undefined {
  const budget = new ParseBudget(bytes.length, defaultReadLimits)
  const context: ReadingContext = {
    bytes,
    maxNestingDepth: defaultReadLimits.maxNestingDepth,
    maxObjects: defaultReadLimits.maxObjects,
    budget,
    endsOfStreams: new EndOfStreamFinder(bytes, budget),
    expansionBudget: new ExpansionBudget(bytes.length, defaultReadLimits),
    lengthAt: (reference) => {
      const length = graph.resolve(reference)
      return typeof length === 'number' ? length : null
    },
  }
  return (offset) => {
    try {
      return readIndirectObject(context, offset)?.object
    } catch (error) {
      if (error instanceof ResourceLimitError) return undefined
      throw error
    }
  }
}
