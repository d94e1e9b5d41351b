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

/**
 * 7.3.7. Keys are name values as in {@link PdfName}; of a key that stands twice the last one counts. Used as a `Map`
 * is, and a tenth of its size: most dictionaries have few entries, and documents have many dictionaries. An iteration
 * goes on over what it began with when entries are deleted meanwhile.
 */
export class PdfDictionary implements Iterable<[string, PdfObject]> {
  /** Keys that stood more than once with different values: two readers may see two documents. */
  declare duplicateKeys?: Set<string>
  /** Keys and values in turns; a map where comparing every key would take long. */
  #entries: (string | PdfObject)[] | Map<string, PdfObject>

  constructor(entries?: Iterable<readonly [string, PdfObject]> | null) {
    if (entries instanceof PdfDictionary) {
      const given = entries.#entries
      this.#entries = Array.isArray(given) ? given.slice() : new Map(given)
      return
    }
    this.#entries = []
    if (entries) for (const [key, value] of entries) this.set(key, value)
  }

  /**
   * Takes the array over.
   *
   * @param entries keys and values in turns, at most {@link mostCompared} keys, each once
   */
  static ofFew(entries: (string | PdfObject)[]): PdfDictionary {
    const dictionary = new PdfDictionary()
    dictionary.#entries = entries
    return dictionary
  }

  get size(): number {
    const entries = this.#entries
    return Array.isArray(entries) ? entries.length >> 1 : entries.size
  }

  get(key: string): PdfObject | undefined {
    const entries = this.#entries
    if (!Array.isArray(entries)) return entries.get(key)
    for (let at = 0; at < entries.length; at += 2) {
      if (entries[at] === key) return entries[at + 1] as PdfObject
    }
    return undefined
  }

  has(key: string): boolean {
    const entries = this.#entries
    if (!Array.isArray(entries)) return entries.has(key)
    for (let at = 0; at < entries.length; at += 2) if (entries[at] === key) return true
    return false
  }

  set(key: string, value: PdfObject): this {
    const entries = this.#entries
    if (!Array.isArray(entries)) {
      entries.set(key, value)
      return this
    }
    for (let at = 0; at < entries.length; at += 2) {
      if (entries[at] !== key) continue
      entries[at + 1] = value
      return this
    }
    if (entries.length < 2 * mostCompared) entries.push(key, value)
    else this.#entries = new Map(this).set(key, value)
    return this
  }

  delete(key: string): boolean {
    const entries = this.#entries
    if (!Array.isArray(entries)) return entries.delete(key)
    for (let at = 0; at < entries.length; at += 2) {
      if (entries[at] !== key) continue
      this.#entries = entries.toSpliced(at, 2)
      return true
    }
    return false
  }

  clear(): void {
    this.#entries = []
  }

  /** Keys and values in turns, in the byte order of the keys: Latin-1 strings compare as their bytes do. */
  inByteOrder(): (string | PdfObject)[] {
    const entries = this.#entries
    if (!Array.isArray(entries)) {
      return [...entries].sort(([one], [other]) => (one < other ? -1 : 1)).flat(1)
    }
    const sorted = entries.slice()
    for (let from = 2; from < sorted.length; from += 2) {
      const key = sorted[from] as string
      const value = sorted[from + 1] as PdfObject
      let to = from
      for (; to > 0 && (sorted[to - 2] as string) > key; to -= 2) {
        sorted[to] = sorted[to - 2] as string
        sorted[to + 1] = sorted[to - 1] as PdfObject
      }
      sorted[to] = key
      sorted[to + 1] = value
    }
    return sorted
  }

  keys(): IteratorObject<string, undefined> {
    const entries = this.#entries
    return Array.isArray(entries) ? new Few(entries, keyAt) : entries.keys()
  }

  values(): IteratorObject<PdfObject, undefined> {
    const entries = this.#entries
    return Array.isArray(entries) ? new Few(entries, valueAt) : entries.values()
  }

  entries(): IteratorObject<[string, PdfObject], undefined> {
    return this[Symbol.iterator]()
  }

  [Symbol.iterator](): IteratorObject<[string, PdfObject], undefined> {
    const entries = this.#entries
    return Array.isArray(entries) ? new Few(entries, entryAt) : entries[Symbol.iterator]()
  }
}

/** Looking through so many keys takes no longer than asking a map. */
export const mostCompared = 16

class Few<T> extends Iterator<T, undefined> {
  readonly #entries: readonly (string | PdfObject)[]
  readonly #itemAt: (entries: readonly (string | PdfObject)[], at: number) => T
  #at = 0

  constructor(
    entries: readonly (string | PdfObject)[],
    itemAt: (entries: readonly (string | PdfObject)[], at: number) => T,
  ) {
    super()
    this.#entries = entries
    this.#itemAt = itemAt
  }

  override next(): IteratorResult<T, undefined> {
    const at = this.#at
    if (at >= this.#entries.length) return { done: true, value: undefined }
    this.#at = at + 2
    return { done: false, value: this.#itemAt(this.#entries, at) }
  }
}

function keyAt(entries: readonly (string | PdfObject)[], at: number): string {
  return entries[at] as string
}

function valueAt(entries: readonly (string | PdfObject)[], at: number): PdfObject {
  return entries[at + 1] as PdfObject
}

function entryAt(entries: readonly (string | PdfObject)[], at: number): [string, PdfObject] {
  return [entries[at] as string, entries[at + 1] as PdfObject]
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
