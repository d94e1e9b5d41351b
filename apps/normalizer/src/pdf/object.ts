/**
 * The objects of ISO 32000-2, 7.3. Null, booleans and numbers are JavaScript's own; arrays are plain arrays.
 * Strings and stream data are views into the file's bytes wherever that is possible: nothing here may write to them.
 */
export type PdfObject =
  | null
  | boolean
  | number
  | PdfName
  | PdfString
  | PdfObject[]
  | PdfDictionary
  | PdfStream
  | PdfReference

/** 7.3.5. `value` holds the bytes after `#xx` decoding, one character for each byte (Latin-1), without the slash. */
export class PdfName {
  readonly value: string

  constructor(value: string) {
    this.value = value
  }
}

/** 7.3.4. The bytes after escape or hexadecimal decoding. */
export class PdfString {
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }
}

/** 7.3.7. Keys are name values as in {@link PdfName}; of a key that stands twice the last one counts. */
export class PdfDictionary extends Map<string, PdfObject> {
  /** Keys that stood more than once with different values: two readers may see two documents. */
  duplicateKeys?: Set<string>
}

/** 7.3.8. `data` is encoded as the dictionary's `/Filter` says and never includes the end-of-line before `endstream`. */
export class PdfStream {
  readonly dictionary: PdfDictionary
  data: Uint8Array

  constructor(dictionary: PdfDictionary, data: Uint8Array) {
    this.dictionary = dictionary
    this.data = data
  }
}

/** No writer counts further than a signed 32-bit integer; readers stop there too. */
export const MAX_OBJECT_NUMBER = 2 ** 31 - 2

/** 7.5.4. */
export const MAX_GENERATION = 65535

/** 7.3.10. */
export class PdfReference {
  readonly number: number
  readonly generation: number

  constructor(number: number, generation: number) {
    this.number = number
    this.generation = generation
  }
}

/** Whether the object is a name, and that one if a value is given. */
export function isName(object: PdfObject | undefined, value?: string): object is PdfName {
  return object instanceof PdfName && (value === undefined || object.value === value)
}
