import type { LinearizedParts } from './linearized-parts.ts'
import type { WrittenDocument } from './written-document.ts'

export interface LinearizedNumbers {
  /** By index of the object. */
  readonly objects: Int32Array
  /** By index of the unit. */
  readonly units: Int32Array
  /** Null when the file has classical tables. */
  readonly mainSection: number | null
  /** Of the parameter dictionary: the first number that the first section covers; the main one ends before it. */
  readonly parameters: number
  readonly firstSection: number | null
  readonly hint: number
  readonly end: number
}

/**
 * The main section covers the low numbers and the first section the high ones, so that each is one run. In each,
 * what object streams hold comes last.
 */
export function linearizedNumbers(
  document: WrittenDocument,
  parts: LinearizedParts,
  objectStreams: boolean,
): LinearizedNumbers {
  const objects = new Int32Array(document.objects.count)
  const units = new Int32Array(parts.units.length)
  let next = 1
  const numberUnits = (list: readonly number[]): void => {
    for (const index of list) {
      const unit = parts.units[index]
      const [only] = unit?.members ?? []
      units[index] = next
      if (unit?.packed === false && only !== undefined) objects[only] = next
      next += 1
    }
  }
  const numberMembers = (list: readonly number[]): void => {
    for (const index of list) {
      const unit = parts.units[index]
      if (!unit?.packed) continue
      for (const member of unit.members) {
        objects[member] = next
        next += 1
      }
    }
  }
  const single = (): number => next++

  const further = [...parts.otherPages.flat(), ...parts.shared, ...parts.rest]
  numberUnits(further)
  const mainSection = objectStreams ? single() : null
  numberMembers(further)

  const parameters = single()
  const firstSection = objectStreams ? single() : null
  numberUnits(parts.opening)
  const hint = single()
  numberUnits(parts.firstPage)
  numberMembers([...parts.opening, ...parts.firstPage])
  return { objects, units, mainSection, parameters, firstSection, hint, end: next }
}
