/** What the second scan knows of a value; it keeps no more of the file than that. */
export type ScannedValue =
  | { readonly type: 'name'; readonly value: string }
  | { readonly type: 'number'; readonly value: number }
  | { readonly type: 'string'; readonly bytes: Uint8Array }
  | { readonly type: 'reference'; readonly number: number }
  | { readonly type: 'dictionary'; readonly dictionary: ScannedDictionary }
  /** Only the first items. */
  | { readonly type: 'array'; readonly items: readonly ScannedValue[] }
  | { readonly type: 'keyword'; readonly value: string }

export interface ScannedDictionary {
  readonly entries: ReadonlyMap<string, ScannedValue>
  /** The object that it lies in; null in a trailer and in a content stream. */
  readonly object: number | null
  /** Whether it is that object itself, or the dictionary of that stream. */
  readonly isObject: boolean
  readonly under: string | null
  readonly inArray: boolean
}

export interface ScanListener {
  dictionary(dictionary: ScannedDictionary): void
  reference(number: number, under: string | null, inArray: boolean): void
  /** A numbered object that is complete; for a stream its dictionary comes first and `stream` follows. */
  object(number: number, value: ScannedValue): void
  stream(number: number, dictionary: ScannedDictionary, data: Uint8Array): void
}

interface Frame {
  readonly kind: 'dictionary' | 'array'
  readonly under: string | null
  readonly inArray: boolean
  readonly items: ScannedValue[]
}

/** Arrays are looked into by their references; of the rest only what a filter list needs is kept. */
const keptItems = 64

/**
 * Tokenizes PDF syntax (ISO 32000-2, 7.2 and 7.3) and tells what it meets. Nothing is resolved and nothing fails:
 * what is not understood is passed over. Nesting is kept in a list, not in calls.
 *
 * @param inside the object whose body the bytes are; null for a whole file or a content stream
 */
export function scanSyntax(bytes: Uint8Array, inside: number | null, listener: ScanListener): void {
  const frames: Frame[] = []
  let object = inside
  let atTop: ScannedValue[] = []
  let at = 0

  const place = (value: ScannedValue): void => {
    const frame = frames.at(-1)
    if (!frame) {
      atTop.push(value)
      if (atTop.length > 3) atTop.shift()
      if (inside !== null && atTop.length === 1) listener.object(inside, value)
      return
    }
    frame.items.push(value)
    if (frame.kind === 'array' && frame.items.length > keptItems + 8)
      frame.items.splice(keptItems, 4)
  }

  const openFrame = (kind: Frame['kind']): void => {
    const parent = frames.at(-1)
    const under = parent ? (parent.kind === 'dictionary' ? pendingKey(parent) : parent.under) : null
    frames.push({ kind, under, inArray: parent?.kind === 'array', items: [] })
  }

  const closeArray = (): void => {
    if (frames.at(-1)?.kind !== 'array') return
    place({ type: 'array', items: frames.pop()?.items ?? [] })
  }

  const closeDictionary = (): void => {
    // An array that was left open ends with the dictionary that holds it.
    while (frames.at(-1)?.kind === 'array' && frames.some(({ kind }) => kind === 'dictionary')) {
      closeArray()
    }
    const frame = frames.at(-1)
    if (frame?.kind !== 'dictionary') return
    frames.pop()
    const dictionary: ScannedDictionary = {
      entries: entriesOf(frame.items),
      object,
      isObject: frames.length === 0 && object !== null,
      under: frame.under,
      inArray: frame.inArray,
    }
    listener.dictionary(dictionary)
    place({ type: 'dictionary', dictionary })
  }

  const reference = (): void => {
    const items = frames.at(-1)?.items ?? atTop
    const [number, generation] = items.slice(-2)
    if (number?.type !== 'number' || generation?.type !== 'number') return
    items.length -= 2
    const frame = frames.at(-1)
    const isArray = frame?.kind === 'array'
    const under = frame ? (isArray ? frame.under : pendingKey(frame)) : null
    listener.reference(number.value, under, isArray)
    items.push({ type: 'reference', number: number.value })
  }

  const beginObject = (): void => {
    const [number] = atTop.slice(-2)
    frames.length = 0
    atTop = []
    object = number?.type === 'number' ? number.value : null
  }

  const endObject = (): void => {
    const [value] = atTop
    if (object !== null && value) listener.object(object, value)
    frames.length = 0
    atTop = []
    object = null
  }

  const skipStream = (): void => {
    const value = atTop.at(-1)
    if (object === null || value?.type !== 'dictionary' || frames.length > 0) return
    if (bytes[at] === 0x0d) at++
    if (bytes[at] === 0x0a) at++
    const end = endOfStream(bytes, at, value.dictionary)
    listener.stream(object, value.dictionary, bytes.subarray(at, end))
    at = end
  }

  while (at < bytes.length) {
    const byte = bytes[at] ?? 0
    if (isWhite(byte)) at++
    else if (byte === 0x25) at = endOfLine(bytes, at)
    else if (byte === 0x2f) {
      const end = endOfRegular(bytes, at + 1)
      place({ type: 'name', value: nameOf(bytes, at + 1, end) })
      at = end
    } else if (byte === 0x28) {
      const end = endOfLiteral(bytes, at)
      place({ type: 'string', bytes: literalOf(bytes, at + 1, end - 1) })
      at = end
    } else if (byte === 0x3c && bytes[at + 1] === 0x3c) {
      openFrame('dictionary')
      at += 2
    } else if (byte === 0x3e && bytes[at + 1] === 0x3e) {
      closeDictionary()
      at += 2
    } else if (byte === 0x3c) {
      const close = bytes.indexOf(0x3e, at)
      const end = close < 0 ? bytes.length : close
      place({ type: 'string', bytes: hexOf(bytes, at + 1, end) })
      at = end + 1
    } else if (byte === 0x5b) {
      openFrame('array')
      at++
    } else if (byte === 0x5d) {
      closeArray()
      at++
    } else {
      const end = Math.max(endOfRegular(bytes, at), at + 1)
      const word = latin1(bytes, at, end)
      at = end
      if (/^[+-]?(\d+\.?\d*|\.\d+)$/.test(word)) place({ type: 'number', value: Number(word) })
      else if (word === 'R') reference()
      else if (word === 'obj') beginObject()
      else if (word === 'endobj') endObject()
      else if (word === 'stream') skipStream()
      else place({ type: 'keyword', value: word })
    }
  }
}

/** In a dictionary keys and values take turns; a reference counts as one by the time something follows it. */
function pendingKey({ items }: Frame): string | null {
  const last = items.at(-1)
  return items.length % 2 === 1 && last?.type === 'name' ? last.value : null
}

function entriesOf(items: readonly ScannedValue[]): Map<string, ScannedValue> {
  const entries = new Map<string, ScannedValue>()
  for (let index = 0; index + 1 < items.length;) {
    const key = items[index]
    const value = items[index + 1]
    if (key?.type === 'name' && value) {
      entries.set(key.value, value)
      index += 2
    } else index++
  }
  return entries
}

function endOfStream(bytes: Uint8Array, start: number, { entries }: ScannedDictionary): number {
  const length = entries.get('Length')
  if (length?.type === 'number') {
    const end = start + length.value
    if (/^\s*endstream/.test(latin1(bytes, end, end + 16))) return end
  }
  const found = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(
    'endstream',
    start,
  )
  return found < 0 ? bytes.length : found
}

function endOfLine(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length && bytes[at] !== 0x0a && bytes[at] !== 0x0d) at++
  return at
}

function endOfRegular(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length && !isWhite(bytes[at] ?? 0) && !isDelimiter(bytes[at] ?? 0)) at++
  return at
}

/** Just past the closing parenthesis. */
function endOfLiteral(bytes: Uint8Array, from: number): number {
  let depth = 0
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === 0x5c) at++
    else if (byte === 0x28) depth++
    else if (byte === 0x29 && --depth === 0) return at + 1
  }
  return bytes.length
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

function literalOf(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const raw = bytes.subarray(start, end)
  if (!raw.includes(0x5c)) return raw
  const text = latin1(bytes, start, end).replace(
    /\\(?:([0-7]{1,3})|(\r\n|[\r\n])|([^]))/g,
    (_, octal?: string, newline?: string, other = '') => {
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff)
      return newline === undefined ? (escapes[other] ?? other) : ''
    },
  )
  return Buffer.from(text, 'latin1')
}

function hexOf(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const digits = latin1(bytes, start, end).replace(/[^0-9a-f]/gi, '')
  return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex')
}

function nameOf(bytes: Uint8Array, start: number, end: number): string {
  const raw = latin1(bytes, start, end)
  if (!raw.includes('#')) return raw
  return raw.replace(/#([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

function latin1(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(
    'latin1',
    start,
    Math.min(end, bytes.length),
  )
}

function isWhite(byte: number): boolean {
  return (
    byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09 || byte === 0x0c || byte === 0
  )
}

/** ( ) < > [ ] { } / % */
function isDelimiter(byte: number): boolean {
  return (
    byte === 0x28 ||
    byte === 0x29 ||
    byte === 0x3c ||
    byte === 0x3e ||
    byte === 0x5b ||
    byte === 0x5d ||
    byte === 0x7b ||
    byte === 0x7d ||
    byte === 0x2f ||
    byte === 0x25
  )
}
