/** What the second scan knows of a value; it keeps no more of the file than that. */
export type ScannedValue =
  | { readonly type: 'name'; readonly value: string }
  | { readonly type: 'number'; readonly value: number }
  /** As it is written, with its delimiters; {@link stringBytes} decodes it. */
  | { readonly type: 'string'; readonly raw: Buffer }
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
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
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
    const frame = frames.at(-1)
    const items = frame?.items ?? atTop
    const number = items[items.length - 2]
    if (number?.type !== 'number' || items[items.length - 1]?.type !== 'number') return
    items.length -= 2
    const isArray = frame?.kind === 'array'
    const under = frame ? (isArray ? frame.under : pendingKey(frame)) : null
    listener.reference(number.value, under, isArray)
    place({ type: 'reference', number: number.value })
  }

  const beginObject = (): void => {
    const number = atTop.at(-2)
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
    if (buffer[at] === 0x0d) at++
    if (buffer[at] === 0x0a) at++
    const end = endOfStream(buffer, at, value.dictionary)
    listener.stream(object, value.dictionary, buffer.subarray(at, end))
    at = end
  }

  while (at < buffer.length) {
    const byte = buffer[at] ?? 0
    const kind = kinds[byte]
    if (kind === white) at++
    else if (byte === 0x25) at = endOfLine(buffer, at)
    else if (byte === 0x2f) {
      const end = endOfRegular(buffer, at + 1)
      place({ type: 'name', value: nameOf(buffer, at + 1, end) })
      at = end
    } else if (byte === 0x3c && buffer[at + 1] === 0x3c) {
      openFrame('dictionary')
      at += 2
    } else if (byte === 0x3e && buffer[at + 1] === 0x3e) {
      closeDictionary()
      at += 2
    } else if (byte === 0x28 || byte === 0x3c) {
      const end = byte === 0x28 ? endOfLiteral(buffer, at) : endOfHex(buffer, at)
      place({ type: 'string', raw: buffer.subarray(at, end) })
      at = end
    } else if (byte === 0x5b) {
      openFrame('array')
      at++
    } else if (byte === 0x5d) {
      closeArray()
      at++
    } else if (kind === delimiter) at++
    else {
      const end = endOfRegular(buffer, at)
      const value = integerAt(buffer, at, end)
      const start = at
      at = end
      if (value !== null) place({ type: 'number', value })
      else if (end - start === 1 && byte === 0x52) reference()
      else {
        const word = buffer.toString('latin1', start, end)
        if (word === 'obj') beginObject()
        else if (word === 'endobj') endObject()
        else if (word === 'stream') skipStream()
        else place({ type: 'keyword', value: word })
      }
    }
  }
}

/** The bytes that a string stands for (7.3.4). */
export function stringBytes({ raw }: { readonly raw: Buffer }): Uint8Array {
  const isHex = raw[0] === 0x3c
  return isHex ? hexOf(raw, 1, raw.length - 1) : literalOf(raw, 1, raw.length - 1)
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

function endOfStream(buffer: Buffer, start: number, { entries }: ScannedDictionary): number {
  const length = entries.get('Length')
  if (length?.type === 'number') {
    const end = start + length.value
    if (/^\s*endstream/.test(buffer.toString('latin1', end, end + 16))) return end
  }
  const found = buffer.indexOf('endstream', start)
  return found < 0 ? buffer.length : found
}

function endOfLine(buffer: Buffer, from: number): number {
  let at = from
  while (at < buffer.length && buffer[at] !== 0x0a && buffer[at] !== 0x0d) at++
  return at
}

function endOfRegular(buffer: Buffer, from: number): number {
  let at = from
  while (at < buffer.length && kinds[buffer[at] ?? 0] === regular) at++
  return at
}

/** Just past the closing parenthesis. */
function endOfLiteral(buffer: Buffer, from: number): number {
  let depth = 0
  for (let at = from; at < buffer.length; at++) {
    const byte = buffer[at]
    if (byte === 0x5c) at++
    else if (byte === 0x28) depth++
    else if (byte === 0x29 && --depth === 0) return at + 1
  }
  return buffer.length
}

function endOfHex(buffer: Buffer, from: number): number {
  const close = buffer.indexOf(0x3e, from)
  return close < 0 ? buffer.length : close + 1
}

/** The number before any fraction; null for what is no number. References and lengths need no more. */
function integerAt(buffer: Buffer, start: number, end: number): number | null {
  let value = 0
  let at = start
  if (buffer[at] === 0x2b || buffer[at] === 0x2d) at++
  for (; at < end; at++) {
    const byte = buffer[at] ?? 0
    if (byte === 0x2e) break
    if (byte < 0x30 || byte > 0x39) return null
    value = value * 10 + byte - 0x30
  }
  return buffer[start] === 0x2d ? -value : value
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

function literalOf(buffer: Buffer, start: number, end: number): Uint8Array {
  const raw = buffer.subarray(start, end)
  if (!raw.includes(0x5c)) return raw
  const text = raw
    .toString('latin1')
    .replace(
      /\\(?:([0-7]{1,3})|(\r\n|[\r\n])|([^]))/g,
      (_, octal?: string, newline?: string, other = '') => {
        if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff)
        return newline === undefined ? (escapes[other] ?? other) : ''
      },
    )
  return Buffer.from(text, 'latin1')
}

function hexOf(buffer: Buffer, start: number, end: number): Uint8Array {
  const digits = buffer.toString('latin1', start, end).replace(/[^0-9a-f]/gi, '')
  return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex')
}

function nameOf(buffer: Buffer, start: number, end: number): string {
  const raw = buffer.toString('latin1', start, end)
  if (!raw.includes('#')) return raw
  return raw.replace(/#([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

const regular = 0
const white = 1
const delimiter = 2

/** ISO 32000-2, 7.2.3: what each byte is. */
const kinds = new Uint8Array(256)
for (const byte of [0x00, 0x09, 0x0a, 0x0c, 0x0d, 0x20]) kinds[byte] = white
for (const byte of Buffer.from('()<>[]{}/%')) kinds[byte] = delimiter
