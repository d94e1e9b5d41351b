import { type1Encoding } from './type1-program.ts'

/** The glyphs of a Type 1 program (Adobe Type 1 Font Format) as they are drawn. */
export interface Type1Glyphs {
  /** Without `.notdef`. */
  readonly names: ReadonlySet<string>
  readonly encoding: ReadonlyMap<number, string> | 'standard' | null
  /** In thousandths of an em; null where there is no such glyph, or its charstring does not say it. */
  widthOf(name: string): number | null
}

/** null for a program without an encrypted part in binary form (ISO 32000-2, 9.9.1), or whose glyphs do not come to an end. */
export function readType1Glyphs(bytes: Uint8Array): Type1Glyphs | null {
  const start = encryptedPart(bytes)
  if (start === null) return null
  const clear = Buffer.from(bytes.buffer, bytes.byteOffset, start).toString('latin1')
  const data = decrypted(bytes.subarray(start), fileKey, 4)
  const charStrings = charStringsIn(data)
  if (charStrings === null) return null
  const [, lenIV] = /\/lenIV\s+(-?\d+)/.exec(textBefore(data, charStrings.start)) ?? []
  const subroutines = subroutinesIn(data, charStrings.start)
  const skipped = lenIV === undefined ? 4 : Number(lenIV)
  const [, scale] = /\/FontMatrix\s*[[{]\s*([-+.\dEe]+)/.exec(clear) ?? []
  const unit = Number(scale) || 0.001
  const charString = (encrypted: Uint8Array | undefined): Uint8Array | null => {
    if (encrypted === undefined || encrypted.length > maxCharString) return null
    return skipped < 0 ? encrypted : decrypted(encrypted, charStringKey, skipped)
  }
  const subroutine = remembered((number: number) => charString(subroutines.get(number)))
  const names = new Set(charStrings.byName.keys())
  names.delete('.notdef')
  return {
    names,
    encoding: type1Encoding(bytes),
    widthOf: remembered((name: string) => {
      const own = charString(charStrings.byName.get(name))
      const width = own && type1Width(own, subroutine)
      // Without the noise of multiplying by a thousandth and a thousand.
      return width === null ? null : unit === 0.001 ? width : width * unit * 1000
    }),
  }
}

/** Charstrings may be asked for by many fonts, and call each other as often as they like. */
function remembered<Key, Value>(find: (key: Key) => Value): (key: Key) => Value {
  const found = new Map<Key, { readonly value: Value }>()
  return (key) => {
    const known = found.get(key)
    if (known !== undefined) return known.value
    const value = find(key)
    if (found.size < maxEntries) found.set(key, { value })
    return value
  }
}

/** Longer than the clear-text part of any program. */
const maxClearText = 256 * 1024
const maxCharString = 65_536
/** More than any font has. */
const maxEntries = 65_536

/** Section 7.2: what follows `eexec` and white space; null for hexadecimal digits. */
function encryptedPart(bytes: Uint8Array): number | null {
  const clear = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, maxClearText))
  const word = clear.indexOf('eexec')
  if (word < 0) return null
  let at = word + 'eexec'.length
  // One end-of-line of one or two bytes, or blanks; a cipher does not begin with one (section 7.2).
  while (at < bytes.length && isWhiteSpace(bytes[at])) at++
  const first = Buffer.from(bytes.subarray(at, at + 4)).toString('latin1')
  return at >= bytes.length || /^[0-9A-Fa-f]{4}$/.test(first) ? null : at
}

const fileKey = 55_665
const charStringKey = 4330

/** Section 7.3, without so many bytes at the beginning. */
function decrypted(cipher: Uint8Array, key: number, skipped: number): Uint8Array {
  const plain = new Uint8Array(cipher.length)
  let state = key
  for (let at = 0; at < cipher.length; at++) {
    const byte = cipher[at] ?? 0
    plain[at] = byte ^ (state >> 8)
    state = ((byte + state) * 52_845 + 22_719) & 0xffff
  }
  return plain.subarray(skipped)
}

interface CharStrings {
  /** Where they begin. */
  readonly start: number
  readonly byName: ReadonlyMap<string, Uint8Array>
}

/** Section 2.3: `/CharStrings` 3 `dict dup begin`, then `/A` 87 `RD` ~87 bytes~ `ND` for each glyph, then `end`. */
function charStringsIn(data: Uint8Array): CharStrings | null {
  const text = Buffer.from(data.buffer, data.byteOffset, data.length)
  const start = text.indexOf('/CharStrings')
  if (start < 0) return null
  const byName = new Map<string, Uint8Array>()
  const words = new Words(data, start + '/CharStrings'.length)
  for (let word = words.next(); word !== ''; word = words.next()) {
    if (word === 'end' && byName.size > 0) return { start, byName }
    if (!word.startsWith('/')) continue
    const charString = words.binary()
    if (charString !== null && byName.size < maxEntries) byName.set(word.slice(1), charString)
  }
  return null
}

/** Section 2.4: `/Subrs` 5 `array`, then `dup` 0 15 `RD` ~15 bytes~ `NP` for each. */
function subroutinesIn(data: Uint8Array, end: number): Map<number, Uint8Array> {
  const subroutines = new Map<number, Uint8Array>()
  const text = Buffer.from(data.buffer, data.byteOffset, data.length)
  const start = text.indexOf('/Subrs')
  if (start < 0) return subroutines
  const words = new Words(data, start + '/Subrs'.length)
  for (let word = words.next(); word !== ''; word = words.next()) {
    if (word.startsWith('/') || (start < end && words.position > end)) break
    if (word !== 'dup') continue
    const number = Number(words.next())
    const charString = words.binary()
    if (charString !== null && Number.isInteger(number) && subroutines.size < maxEntries) {
      subroutines.set(number, charString)
    }
  }
  return subroutines
}

function textBefore(data: Uint8Array, end: number): string {
  return Buffer.from(data.buffer, data.byteOffset, end).toString('latin1')
}

/** The words of a program's private part. */
class Words {
  position: number
  readonly #data: Uint8Array

  constructor(data: Uint8Array, position: number) {
    this.#data = data
    this.position = position
  }

  /** Empty at the end. */
  next(): string {
    const data = this.#data
    let at = this.position
    while (at < data.length && isWhiteSpace(data[at])) at++
    const start = at
    if (at < data.length) at++
    while (at < data.length && !isWhiteSpace(data[at]) && !isDelimiter(data[at])) at++
    this.position = at
    return Buffer.from(data.subarray(start, Math.min(at, start + maxWord))).toString('latin1')
  }

  /** A length, a word, one blank, and so many bytes; null where there is anything else, or too few bytes. */
  binary(): Uint8Array | null {
    const start = this.position
    const length = this.next()
    if (!/^\d{1,6}$/.test(length) || this.next() === '') {
      this.position = start
      return null
    }
    const first = this.position + 1
    const end = first + Number(length)
    if (end > this.#data.length) return null
    this.position = end
    return this.#data.subarray(first, end)
  }
}

const maxWord = 256

function isWhiteSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09 || byte === 0
}

function isDelimiter(byte: number | undefined): boolean {
  return byte === 0x2f || byte === 0x5b || byte === 0x5d || byte === 0x7b || byte === 0x7d
}

/** Section 6.4: charstrings begin with `hsbw` or `sbw`, which say the width; null where this one does not come to either. */
function type1Width(
  charString: Uint8Array,
  subroutine: (number: number) => Uint8Array | null,
): number | null {
  const stack: number[] = []
  const calls = [{ bytes: charString, at: 0 }]
  for (let steps = 0; steps < maxSteps; steps++) {
    const current = calls.at(-1)
    if (current === undefined) return null
    const byte = current.bytes[current.at++]
    if (byte === undefined) return null
    if (byte >= 32) {
      if (stack.length >= maxOperands) return null
      const next = (): number => current.bytes[current.at++] ?? 0
      if (byte <= 246) stack.push(byte - 139)
      else if (byte <= 250) stack.push((byte - 247) * 256 + next() + 108)
      else if (byte <= 254) stack.push(-(byte - 251) * 256 - next() - 108)
      else stack.push((next() << 24) | (next() << 16) | (next() << 8) | next())
    } else if (byte === 13) return stack[1] ?? null
    else if (byte === 11) calls.pop()
    else if (byte === 10) {
      const number = stack.pop()
      const bytes = number === undefined ? null : subroutine(number)
      if (bytes === null || calls.length > maxDepth) return null
      calls.push({ bytes, at: 0 })
    } else if (byte === 12) {
      const second = current.bytes[current.at++]
      if (second === 7) return stack[2] ?? null
      if (second !== 12) return null
      const divisor = stack.pop() ?? 0
      const dividend = stack.pop() ?? 0
      if (divisor === 0) return null
      stack.push(dividend / divisor)
    } else return null
  }
  return null
}

const maxSteps = 1024
/** Section 6.1 has 24, and 10 for calls. */
const maxOperands = 64
const maxDepth = 10
