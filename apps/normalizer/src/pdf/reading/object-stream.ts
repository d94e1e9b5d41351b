import { decodeStreamPartly, type FilterGraph } from '../filter/decode-stream.ts'
import { Lexer, Token } from './lexer.ts'
import { type PdfObject, PdfReference, type PdfStream } from '../object.ts'
import { parseObject } from './object-parser.ts'
import { type ReadLimits, ResourceLimitError } from './read-limits.ts'

/** An object stream (ISO 32000-2, 7.5.7) with its table of contents read; its objects are parsed when asked for. */
export interface ObjectStream {
  readonly data: Uint8Array
  /** Object numbers in the order of the table of contents. */
  readonly numbers: readonly number[]
  /** Where each object begins in `data`. */
  readonly offsets: readonly number[]
  /** Number of the stream that this one extends; null if none. */
  readonly extends: number | null
  /** For objects that are not where their entry says. */
  indexOf(number: number): number | undefined
}

/** null if the stream is none of this kind or cannot be decoded. @throws {ResourceLimitError} */
export function readObjectStream(
  graph: FilterGraph,
  stream: PdfStream,
  limits: ReadLimits,
): ObjectStream | null {
  const count = graph.resolve(stream.dictionary.get('N'))
  const first = graph.resolve(stream.dictionary.get('First'))
  if (typeof count !== 'number' || typeof first !== 'number' || first < 0) return null
  const decoded = decodeStreamPartly(graph, stream, limits)
  if (decoded.remainingFilters.length > 0) return null

  const data = decoded.bytes
  const lexer = new Lexer(data, 0, Math.min(first, data.length))
  const numbers: number[] = []
  const offsets: number[] = []
  // What /N claims costs nothing: the table of contents ends with its bytes.
  for (let i = 0; i < count; i++) {
    if (i >= limits.maxObjects) {
      throw new ResourceLimitError(`There are more than ${limits.maxObjects} objects`)
    }
    if (lexer.next() !== Token.number) break
    const number = lexer.number
    if (lexer.next() !== Token.number) break
    numbers.push(number)
    offsets.push(first + lexer.number)
  }
  const extended = stream.dictionary.get('Extends')
  let indexes: Map<number, number> | null = null
  return {
    data,
    numbers,
    offsets,
    extends: extended instanceof PdfReference ? extended.number : null,
    indexOf: (number) => (indexes ??= indexesOf(numbers)).get(number),
  }
}

/** Of a number that stands there twice, the first place counts. */
function indexesOf(numbers: readonly number[]): Map<number, number> {
  const indexes = new Map<number, number>()
  for (const [index, number] of numbers.entries()) {
    if (!indexes.has(number)) indexes.set(number, index)
  }
  return indexes
}

/** The object at this place of the table of contents; null if it cannot be parsed. @throws {ResourceLimitError} */
export function objectInStream(
  stream: ObjectStream,
  index: number,
  { maxNestingDepth }: Pick<ReadLimits, 'maxNestingDepth'>,
): { object: PdfObject; objectBytes: number; oddities: number } {
  const offset = stream.offsets[index]
  if (offset === undefined || offset >= stream.data.length) {
    return { object: null, objectBytes: 0, oddities: 0 }
  }
  const lexer = new Lexer(stream.data, offset)
  const object = parseObject(lexer, maxNestingDepth) ?? null
  return { object, objectBytes: lexer.objectBytes, oddities: lexer.oddities }
}
