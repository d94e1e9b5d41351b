import {
  PdfDictionary,
  PdfName,
  type PdfObject,
  PdfReference,
  PdfStream,
  PdfString,
} from './object.ts'

/** Where an object was met on the way down from a numbered object. */
export interface Position {
  /** The dictionary key under which it stands; inside an array the key of the array; null at the top. */
  readonly under: string | null
  readonly inArray: boolean
}

/**
 * Visits an object and everything that it holds directly, parents first: arrays, dictionaries, streams and references;
 * references are visited and not followed. Keeps its own stack, so that nesting costs no call depth. A container that
 * hangs in two places is visited once.
 */
export function walkDirect(
  root: PdfObject,
  visit: (object: PdfObject, position: Position) => void,
): void {
  if (!isWalked(root)) return
  const pending: (PdfObject | Position)[] = [top, root]
  const seen = new Set<PdfObject>()
  while (pending.length > 0) {
    const object = pending.pop() as Walked
    const position = pending.pop() as Position
    if (object instanceof PdfReference) {
      visit(object, position)
      continue
    }
    if (!(object instanceof PdfStream)) {
      if (seen.has(object)) continue
      seen.add(object)
    }
    visit(object, position)
    if (Array.isArray(object)) {
      const inside = position.inArray ? position : { under: position.under, inArray: true }
      for (let index = object.length - 1; index >= 0; index--) {
        const item = object[index]
        if (isWalked(item)) pending.push(inside, item)
      }
      continue
    }
    const dictionary = object instanceof PdfStream ? object.dictionary : object
    for (const [under, value] of dictionary) {
      if (isWalked(value)) pending.push({ under, inArray: false }, value)
    }
  }
}

type Walked = PdfObject[] | PdfDictionary | PdfStream | PdfReference

function isWalked(object: PdfObject | undefined): object is Walked {
  return (
    typeof object === 'object' &&
    object !== null &&
    !(object instanceof PdfName) &&
    !(object instanceof PdfString)
  )
}

const top: Position = { under: null, inArray: false }

/** The dictionary that an object is or, for a stream, has. */
export function dictionaryOf(object: PdfObject): PdfDictionary | null {
  if (object instanceof PdfDictionary) return object
  return object instanceof PdfStream ? object.dictionary : null
}
