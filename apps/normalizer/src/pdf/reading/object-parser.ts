import { type Lexer, Token } from './lexer.ts'
import {
  MAX_OBJECT_NUMBER,
  PdfDictionary,
  PdfName,
  PdfReference,
  PdfStream,
  PdfString,
  type PdfObject,
} from '../object.ts'
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
  const outer: OpenContainer[] = []
  let open: OpenContainer | null = null
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
        if (open !== null && open.dictionary !== null && open.key === null) {
          open.key = lexer.name.value
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
        if (outer.length >= maxNestingDepth) {
          throw new ResourceLimitError(`Objects are nested deeper than ${maxNestingDepth}`)
        }
        if (open !== null) outer.push(open)
        if (lexer.bytes[lexer.tokenStart] === 0x5b) {
          lexer.objectBytes += objectSize.array
          open = openArray()
        } else {
          lexer.objectBytes += objectSize.dictionary
          open = openDictionary()
        }
        continue
      }
      case Token.arrayClose:
        if (open === null) return undefined
        if (open.array === null) continue
        value = open.array
        open = outer.pop() ?? null
        break
      case Token.dictionaryClose:
        if (open === null) return undefined
        // A dictionary's end also ends the arrays in it that were left open.
        while (open.array !== null) {
          const parent = outer.pop()
          if (parent === undefined) return open.array
          put(parent, open.array)
          open = parent
        }
        value = finished(open)
        open = outer.pop() ?? null
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
            return closeAll(open, outer)
        }
        break
      default:
        return closeAll(open, outer)
    }

    if (open === null) return value
    put(open, value)
  }
}

interface OpenContainer {
  readonly array: PdfObject[] | null
  readonly dictionary: PdfDictionary | null
  /** The key whose value comes next. */
  key: string | null
}

function openArray(): OpenContainer {
  return { array: [], dictionary: null, key: null }
}

function openDictionary(): OpenContainer {
  return { array: null, dictionary: new PdfDictionary(), key: null }
}

function put(container: OpenContainer, value: PdfObject): void {
  if (container.dictionary === null) {
    container.array?.push(value)
    return
  }
  // What stands where a key must stand is passed over.
  if (container.key === null) return

  const { dictionary, key } = container
  container.key = null
  if (dictionary.has(key) && !isSame(dictionary.get(key) ?? null, value)) {
    dictionary.duplicateKeys ??= new Set()
    dictionary.duplicateKeys.add(key)
  }
  dictionary.set(key, value)
}

/** A number that no object can have refers to nothing, which is null (7.3.10). */
function referenceTo(number: number, generation: number): PdfReference | null {
  return number > MAX_OBJECT_NUMBER ? null : new PdfReference(number, generation)
}

function finished(container: OpenContainer): PdfObject {
  if (container.dictionary === null) return container.array
  if (container.key !== null) put(container, null)
  return container.dictionary
}

function closeAll(innermost: OpenContainer | null, outer: OpenContainer[]): PdfObject | undefined {
  let open = innermost
  if (open === null) return undefined
  for (;;) {
    const parent = outer.pop()
    if (parent === undefined) return finished(open)
    put(parent, finished(open))
    open = parent
  }
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
