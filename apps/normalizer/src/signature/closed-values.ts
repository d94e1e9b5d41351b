import { headerAt, tagOctet } from './encoded-value.ts'
import { MalformedAsn1Error } from './malformed.ts'
import { isExactTime, isTime } from './time.ts'

/** Values directly inside one that are worth looking at; only the entries of a revocation list are more. */
const maxInside = 1_000
/** The longest identifier in use has some 40 octets. */
const maxIdentifierOctets = 128
/** RFC 5280, appendix A.1, gives attributes of names some hundred characters. */
const maxTextOctets = 16 * 1024

/**
 * Looks over the first value in the bytes before the library builds objects for what is in it, and finds what is to stay
 * closed: the tags of values that are too long to be what signatures consist of, or that the library takes for something
 * else. Costs some nanoseconds for each value; the library some microseconds and a kilobyte. Returns where the first
 * octets of closed values stand.
 *
 * @param maxValues that may be open; each number in an object identifier counts as one, since it becomes an object too
 * @throws {MalformedAsn1Error} when values are cut off, or the open ones are nested deeper or are more than allowed
 */
export function closedValues(
  bytes: Uint8Array,
  maxValues: number,
  maxDepth: number,
): { closed: readonly number[]; openValues: number } {
  const closed: number[] = []
  const open: OpenValue[] = []
  let values = 0
  for (let at = 0; ;) {
    const { tag, contentStart, length } = headerAt(bytes, at)
    const end = contentStart + (length ?? 0)
    if (end > bytes.length) throw new MalformedAsn1Error('a value is cut off')
    const parent = open.at(-1)
    if (parent) parent.inside++
    values++

    if ((tag & 0x20) !== 0) {
      if (open.length === maxDepth) throw new MalformedAsn1Error('nested too deep')
      open.push({ tag, start: at, end: length === null ? null : end, before: values, inside: 0 })
      at = contentStart
    } else {
      if (staysClosed(tag, bytes, contentStart, end)) closed.push(at)
      else if (isIdentifier(tag)) values += end - contentStart
      if (closed.length > maxValues) throw tooMany()
      at = end
      if (tag === 0 && parent?.end === null) open.pop()
    }

    for (let last = open.at(-1); last && last.end !== null && at >= last.end; last = open.at(-1)) {
      open.pop()
      if (last.inside <= maxInside || last.tag !== tagOctet.sequence) continue
      while ((closed.at(-1) ?? -1) > last.start) closed.pop()
      closed.push(last.start)
      values = last.before
    }
    if (open.length === 0) break
  }
  if (values > maxValues) throw tooMany()
  return { closed, openValues: values }
}

interface OpenValue {
  readonly tag: number
  readonly start: number
  /** null: at an end marker (X.690, 8.1.5). */
  readonly end: number | null
  /** Values up to it, itself included. */
  readonly before: number
  inside: number
}

function staysClosed(tag: number, bytes: Uint8Array, start: number, end: number): boolean {
  if (isIdentifier(tag)) return end - start > maxIdentifierOctets
  // Read without its zone or its seconds, one would be a wrong time, or end the reading of all.
  if (isTime(tag)) return !isExactTime(tag, bytes.subarray(start, end))
  return isText(tag) && end - start > maxTextOctets
}

function isIdentifier(tag: number): boolean {
  return tag === tagOctet.objectIdentifier || tag === tagOctet.relativeIdentifier
}

/** X.680, 8.4: character strings and the times that are written as such. */
function isText(tag: number): boolean {
  return tag === 0x0c || tag === 0x0e || (tag >= 0x12 && tag <= 0x24)
}

function tooMany(): MalformedAsn1Error {
  return new MalformedAsn1Error('more values than a signature has')
}
