import type { FontGraph } from '../content/content-graph.ts'
import { isName, type PdfObject, PdfStream } from '../object.ts'
import {
  type CharacterCodeMap,
  type CodeSpace,
  readCharacterCodeMap,
  textOfCode,
} from './character-code-map.ts'
import { fontStream } from './font-stream.ts'
import { predefinedMap } from './character-collection.ts'

/** How strings of a composite font split into codes (ISO 32000-2, 9.7.6), and what the encoding tells of them. */
export interface CodeReader {
  readonly isVertical: boolean
  /** The code that was last read, and how many bytes it had. */
  readonly code: number
  readonly length: number
  /** Reads one code at `at`, which must be before `end`. */
  read(bytes: Uint8Array, at: number, end: number): void
  /** Whether the code that was last read is one of the encoding's. */
  readonly isKnown: boolean
  /** The character identifier; 0 for what the encoding does not have. */
  identifierOf(code: number): number
  /** The text of a code where codes are characters themselves; else null. */
  textOf(code: number): string | null
}

/** Maps that build on each other; no writer chains more. */
const maxChain = 8

/** @param encoding the font's `/Encoding`: a name or a stream (9.7.5); Identity for anything else */
export function codeReader(graph: FontGraph, encoding: PdfObject | undefined): CodeReader {
  const object = graph.resolve(encoding)
  const name = isName(object) ? object.value : ''
  const chain = mapChain(graph, object)
  const [map] = chain
  if (map === undefined) return new IdentityReader(/(^|-)V$/.test(name))
  return new MapReader(chain, unicodeForm(name))
}

/** The map and those that it builds on, nearest first; empty for Identity and for what is not known. */
function mapChain(graph: FontGraph, encoding: PdfObject): CharacterCodeMap[] {
  const chain: CharacterCodeMap[] = []
  let next: PdfObject = encoding
  while (chain.length < maxChain) {
    const map = readMap(graph, next)
    if (map === null) return chain
    chain.push(map)
    const stated = next instanceof PdfStream ? graph.resolve(next.dictionary.get('UseCMap')) : null
    if (stated !== null) next = stated
    else {
      // By its name alone a map can only be a predefined one, whose chains end.
      const named = map.basedOn === null ? null : predefinedMap(map.basedOn)
      if (named === null) return chain
      chain.push(named)
      const rest = named.basedOn === null ? null : predefinedMap(named.basedOn)
      return rest === null ? chain : [...chain, rest]
    }
  }
  return chain
}

function readMap(graph: FontGraph, encoding: PdfObject): CharacterCodeMap | null {
  if (isName(encoding)) return predefinedMap(encoding.value)
  const bytes = fontStream(graph, encoding)
  return bytes && readCharacterCodeMap(bytes)
}

class IdentityReader implements CodeReader {
  readonly isVertical: boolean
  code = 0
  length = 2

  constructor(isVertical: boolean) {
    this.isVertical = isVertical
  }

  get isKnown(): boolean {
    return this.length === 2
  }

  read(bytes: Uint8Array, at: number, end: number): void {
    this.length = at + 1 < end ? 2 : 1
    this.code = this.length === 2 ? ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0) : 0
  }

  identifierOf(code: number): number {
    return code
  }

  textOf(): null {
    return null
  }
}

type UnicodeForm = 'UTF-8' | 'UTF-16' | 'UTF-32'

/** Table 116: encodings whose codes are characters. */
function unicodeForm(name: string): UnicodeForm | null {
  if (!name.startsWith('Uni')) return null
  if (/-(UCS2|UTF16)(-HW)?-[HV]$/.test(name)) return 'UTF-16'
  if (/-UTF32-[HV]$/.test(name)) return 'UTF-32'
  return /-UTF8-[HV]$/.test(name) ? 'UTF-8' : null
}

class MapReader implements CodeReader {
  readonly isVertical: boolean
  code = 0
  length = 1
  readonly #chain: readonly CharacterCodeMap[]
  readonly #form: UnicodeForm | null
  readonly #codeSpaces: readonly CodeSpace[]
  readonly #shortest: number
  #isInCodeSpace = true

  constructor(chain: readonly CharacterCodeMap[], form: UnicodeForm | null) {
    this.#chain = chain
    this.#form = form
    this.isVertical = chain.some(({ isVertical }) => isVertical)
    const spaces = chain.flatMap(({ codeSpaces }) => codeSpaces)
    this.#codeSpaces = spaces.length > 0 ? spaces : [{ bytes: 2, low: 0, high: 0xffff }]
    this.#shortest = Math.min(...this.#codeSpaces.map(({ bytes }) => bytes))
  }

  get isKnown(): boolean {
    return this.#isInCodeSpace && this.#chain.some(({ identifiers }) => identifiers.find(this.code))
  }

  read(bytes: Uint8Array, at: number, end: number): void {
    this.#isInCodeSpace = true
    let code = 0
    for (let length = 1; length <= Math.min(4, end - at); length++) {
      code = code * 256 + (bytes[at + length - 1] ?? 0)
      if (this.#codeSpaces.some((space) => isIn(space, code, length))) {
        this.code = code
        this.length = length
        return
      }
    }
    this.#isInCodeSpace = false
    // 9.7.6.3: what is in no code space is as long as the shortest code, and shows nothing that is known.
    this.code = 0
    this.length = Math.min(this.#shortest, end - at)
  }

  identifierOf(code: number): number {
    for (const { identifiers } of this.#chain) {
      const found = identifiers.find(code)
      if (found) return found.first + found.offset
    }
    return 0
  }

  textOf(code: number): string | null {
    for (const { texts } of this.#chain) {
      const text = textOfCode(texts, code)
      if (text !== null) return text
    }
    switch (this.#form) {
      case 'UTF-16':
        return code > 0xffff
          ? String.fromCharCode(Math.floor(code / 0x10000), code % 0x10000)
          : String.fromCharCode(code)
      case 'UTF-32':
        return code <= 0x10ffff ? String.fromCodePoint(code) : null
      case 'UTF-8':
        return Buffer.from(code.toString(16).padStart(2, '0'), 'hex').toString('utf8')
      default:
        return null
    }
  }
}

/** 9.7.6.2: each byte lies between those of the bounds. */
function isIn({ bytes, low, high }: CodeSpace, code: number, length: number): boolean {
  if (bytes !== length) return false
  let [rest, from, to] = [code, low, high]
  for (let byte = 0; byte < bytes; byte++) {
    if (rest % 256 < from % 256 || rest % 256 > to % 256) return false
    rest = Math.floor(rest / 256)
    from = Math.floor(from / 256)
    to = Math.floor(to / 256)
  }
  return true
}
