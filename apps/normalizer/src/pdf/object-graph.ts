import type { PdfDictionary, PdfObject, PdfReference } from './object.ts'
import type { ExpansionBudget } from './reading/read-limits.ts'

/**
 * The numbered objects of one document, parsed when they are first asked for, and the trailer that roots them.
 * Stages edit it in place: objects got from it may be changed, replaced, added and deleted.
 */
export interface ObjectGraph {
  /** Of the last revision: `/Root`, `/Info`, `/ID`, `/Encrypt` as the chain of sections gives them. */
  readonly trailer: PdfDictionary

  /** Charged by everything that decodes streams of this document; without one only each stream's own limit holds. */
  readonly expansionBudget?: ExpansionBudget

  /** Every number that is live, in ascending order, whether reachable or not. Does not include deleted objects. */
  numbers(): Iterable<number>

  /** The object with this number; null if it is free, missing, deleted or cannot be parsed. */
  get(number: number): PdfObject

  /** Whether there is a live object with this number. */
  has(number: number): boolean

  /** Follows references (also chains; a cycle resolves to null) until something that is not a reference. undefined becomes null. */
  resolve(object: PdfObject | undefined): PdfObject

  /** The generation under which the object stands in the file; 0 for added ones. */
  generation(number: number): number

  /** Replaces what stands under this number. */
  set(number: number, object: PdfObject): void

  /** Adds an object under a new number. */
  add(object: PdfObject): PdfReference

  delete(number: number): void
}
