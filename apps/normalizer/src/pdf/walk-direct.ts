import { PdfDictionary, type PdfObject, PdfStream } from './object.ts'

/** Where an object was met on the way down from a numbered object. */
export interface Position {
  /** The dictionary key under which it stands; inside an array the key of the array; null at the top. */
  readonly under: string | null
  readonly inArray: boolean
}

/**
 * Visits an object and everything that it holds directly, parents first; references are visited and not followed.
 * Keeps its own stack, so that nesting costs no call depth. A container that hangs in two places is visited once.
 */
export function walkDirect(
  root: PdfObject,
  visit: (object: PdfObject, position: Position) => void,
): void {
  const pending: { object: PdfObject; position: Position }[] = [{ object: root, position: top }]
  const seen = new Set<PdfObject>()
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { object, position } = next
    if (object === null || typeof object !== 'object') continue
    if (object instanceof PdfDictionary || Array.isArray(object)) {
      if (seen.has(object)) continue
      seen.add(object)
    }
    visit(object, position)
    if (Array.isArray(object)) {
      const inside = position.inArray ? position : { under: position.under, inArray: true }
      for (let index = object.length - 1; index >= 0; index--) {
        const item = object[index]
        if (typeof item === 'object' && item !== null)
          pending.push({ object: item, position: inside })
      }
      continue
    }
    const dictionary = object instanceof PdfStream ? object.dictionary : object
    if (!(dictionary instanceof PdfDictionary)) continue
    for (const [under, value] of dictionary) {
      if (typeof value === 'object' && value !== null) {
        pending.push({ object: value, position: { under, inArray: false } })
      }
    }
  }
}

const top: Position = { under: null, inArray: false }

/** The dictionary that an object is or, for a stream, has. */
export function dictionaryOf(object: PdfObject): PdfDictionary | null {
  if (object instanceof PdfDictionary) return object
  return object instanceof PdfStream ? object.dictionary : null
}
