import { type Lexer, Token } from './lexer.ts'
import {
  MAX_OBJECT_NUMBER,
  mostCompared,
  PdfDictionary,
  PdfName,
  PdfReference,
  PdfStream,
  PdfString,
  type PdfObject,
} from '../object.ts'
import { largestPlainArray, largestPlainDictionary, Oddity } from './oddity.ts'
import { maxParsedBytes, ResourceLimitError } from './read-limits.ts'

/** Memory of each kind of object in V8, with its place in an array or dictionary; bytes. */
const objectSize = { number: 16, name: 16, reference: 48, string: 160, array: 192, dictionary: 200 }

/**
 * The object that stands at the lexer's position; undefined if none does. A keyword that ends objects (`endobj`,
 * `stream`, `trailer`, …) also ends what is still open, and is not consumed.
 *
 * @throws {ResourceLimitError} when arrays and dictionaries are nested deeper than `maxNestingDepth`, or when the
 *   object takes more than {@link maxParsedBytes} of memory
 */
export function parseObject(lexer: Lexer, maxNestingDepth: number): PdfObject | undefined {
  const open = new OpenContainers(lexer)
  const mostBytes = lexer.objectBytes + maxParsedBytes

  for (;;) {
    if (lexer.objectBytes > mostBytes) {
      throw new ResourceLimitError(`An object takes more than ${maxParsedBytes} bytes of memory`)
    }
    let value: PdfObject
    switch (lexer.next()) {
      case Token.number: {
        const number = lexer.number
        const generation = lexer.isInteger && number >= 0 ? lexer.generationOfReference() : -1
        value = generation < 0 ? number : referenceTo(number, generation)
        lexer.objectBytes += generation < 0 ? objectSize.number : objectSize.reference
        break
      }
      case Token.name:
        lexer.objectBytes += objectSize.name
        if (open.wantKey()) {
          open.push(lexer.name.value)
          continue
        }
        value = lexer.name
        break
      case Token.string:
        value = new PdfString(lexer.string)
        lexer.objectBytes += objectSize.string
        break
      case Token.arrayOpen:
      case Token.dictionaryOpen: {
        if (open.depth > maxNestingDepth) {
          throw new ResourceLimitError(`Objects are nested deeper than ${maxNestingDepth}`)
        }
        const isArray = lexer.bytes[lexer.tokenStart] === 0x5b
        lexer.objectBytes += isArray ? objectSize.array : objectSize.dictionary
        open.open(isArray)
        continue
      }
      case Token.arrayClose:
        if (open.depth === 0) return undefined
        if (!open.inArray) continue
        value = open.close()
        break
      case Token.dictionaryClose:
        if (open.depth === 0) return undefined
        // A dictionary's end also ends the arrays in it that were left open.
        while (open.inArray && open.depth > 1) open.put(open.close())
        value = open.close()
        break
      case Token.keyword:
        switch (lexer.keyword) {
          case 'true':
            value = true
            break
          case 'false':
            value = false
            break
          case 'null':
          case 'R':
          case '':
            value = null
            break
          default:
            lexer.position = lexer.tokenStart
            return open.closeAll()
        }
        break
      default:
        return open.closeAll()
    }

    if (open.depth === 0) return value
    open.put(value)
  }
}

/**
 * The arrays and dictionaries that have begun and not ended. What they hold so far stands on one stack, dictionaries
 * with keys and values in turns, so that each gets an array of just its size when it ends.
 */
class OpenContainers {
  readonly #lexer: Lexer
  depth = 0
  inArray = false
  /** Where the innermost begins on the stack. */
  #start = 0
  #top = 0
  readonly #stack: (string | PdfObject)[] = []
  /** For each one around the innermost, where it begins; as its complement for an array. */
  readonly #outer: number[] = []

  constructor(lexer: Lexer) {
    this.#lexer = lexer
  }

  open(isArray: boolean): void {
    if (this.depth > 0) this.#outer.push(this.inArray ? ~this.#start : this.#start)
    this.depth += 1
    this.inArray = isArray
    this.#start = this.#top
  }

  /** Ends the innermost. */
  close(): PdfArrayOrDictionary {
    if (!this.inArray && !this.wantKey()) this.push(null)
    const items = this.#stack.slice(this.#start, this.#top)
    if (items.length > largestPlainArray) this.#lexer.oddities |= oddityOfSize(items, this.inArray)
    // Keys stand in dictionaries only.
    const value = this.inArray ? (items as PdfObject[]) : dictionaryOf(items)
    this.#top = this.#start
    const outer = this.#outer.pop() ?? 0
    this.inArray = outer < 0
    this.#start = outer < 0 ? ~outer : outer
    this.depth -= 1
    return value
  }

  closeAll(): PdfArrayOrDictionary | undefined {
    if (this.depth === 0) return undefined
    while (this.depth > 1) this.put(this.close())
    return this.close()
  }

  wantKey(): boolean {
    return this.depth > 0 && !this.inArray && (this.#top - this.#start) % 2 === 0
  }

  put(value: PdfObject): void {
    // What stands where a key must stand is passed over.
    if (!this.wantKey()) this.push(value)
  }

  push(item: string | PdfObject): void {
    this.#stack[this.#top] = item
    this.#top += 1
  }
}

/** Entries without a value are none (7.3.7). @param items of a dictionary keys and values in turns */
function oddityOfSize(items: readonly (string | PdfObject)[], isArray: boolean): number {
  if (isArray) return Oddity.largeArray
  const entries = items.filter((item, at) => at % 2 === 1 && item !== null).length
  return entries > largestPlainDictionary ? Oddity.largeDictionary : 0
}

type PdfArrayOrDictionary = PdfObject[] | PdfDictionary

/** @param items keys and values in turns */
function dictionaryOf(items: (string | PdfObject)[]): PdfDictionary {
  if (items.length <= 2 * mostCompared && !hasKeyTwice(items)) return PdfDictionary.ofFew(items)
  const dictionary = new PdfDictionary()
  for (let at = 0; at < items.length; at += 2) {
    const key = items[at] as string
    const value = items[at + 1] as PdfObject
    if (dictionary.has(key) && !isSame(dictionary.get(key) ?? null, value)) {
      dictionary.duplicateKeys ??= new Set()
      dictionary.duplicateKeys.add(key)
    }
    dictionary.set(key, value)
  }
  return dictionary
}

function hasKeyTwice(items: readonly (string | PdfObject)[]): boolean {
  for (let at = 2; at < items.length; at += 2) {
    for (let before = 0; before < at; before += 2) if (items[before] === items[at]) return true
  }
  return false
}

/** A number that no object can have refers to nothing, which is null (7.3.10). */
function referenceTo(number: number, generation: number): PdfReference | null {
  return number > MAX_OBJECT_NUMBER ? null : new PdfReference(number, generation)
}

/** Whether two objects have the same value, without following references. */
export function isSame(first: PdfObject, second: PdfObject): boolean {
  const pairs: [PdfObject | undefined, PdfObject | undefined][] = [[first, second]]
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [a, b] = pair
    if (a === b) continue
    if (a instanceof PdfName && b instanceof PdfName && a.value === b.value) continue
    if (a instanceof PdfString && b instanceof PdfString && equalBytes(a.bytes, b.bytes)) continue
    if (
      a instanceof PdfReference &&
      b instanceof PdfReference &&
      a.number === b.number &&
      a.generation === b.generation
    ) {
      continue
    }
    if (Array.isArray(a) && Array.isArray(b) && a.length === b.length) {
      for (let i = 0; i < a.length; i++) pairs.push([a[i], b[i]])
      continue
    }
    if (a instanceof PdfStream && b instanceof PdfStream && equalBytes(a.data, b.data)) {
      pairs.push([a.dictionary, b.dictionary])
      continue
    }
    if (a instanceof PdfDictionary && b instanceof PdfDictionary && a.size === b.size) {
      for (const [key, value] of a) pairs.push([value, b.get(key)])
      continue
    }
    return false
  }
  return true
}

function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && Buffer.compare(a, b) === 0
}
