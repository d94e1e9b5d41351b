/** How much a BER encoding holds (X.690, 8.1). */
export interface EncodingSize {
  readonly values: number
  /** Values within each other, the outermost included. */
  readonly depth: number
}

/**
 * Counts the values in an encoding without making anything of them: to know what a parser would be in for. Ends at the
 * first value that is cut off or cannot be, and as soon as there are more values than `mostValues` or more depth than
 * `mostDepth`.
 */
export function sizeOfEncoding(
  bytes: Uint8Array,
  mostValues: number,
  mostDepth: number,
): EncodingSize {
  // Where each open value ends; one of the indefinite form ends with two zeros.
  const ends: number[] = []
  let values = 0
  let deepest = 0
  let at = 0
  while (at < bytes.length && values <= mostValues && deepest <= mostDepth) {
    const header = readHeader(bytes, at)
    if (header === null) break
    values++
    deepest = Math.max(deepest, ends.length + 1)

    const { contentStart, length, constructed, endOfContents } = header
    at = constructed ? contentStart : contentStart + (length ?? 0)
    if (constructed) ends.push(length === null ? indefinite : contentStart + length)
    else if (endOfContents && ends.at(-1) === indefinite) ends.pop()
    for (let end = ends.at(-1); end !== undefined && end !== indefinite && at >= end;) {
      ends.pop()
      end = ends.at(-1)
    }
    if (ends.length === 0) break
  }
  return { values, depth: deepest }
}

const indefinite = -1

interface Header {
  readonly contentStart: number
  /** null: the indefinite form (8.1.3.6). */
  readonly length: number | null
  readonly constructed: boolean
  /** 8.1.5. */
  readonly endOfContents: boolean
}

function readHeader(bytes: Uint8Array, start: number): Header | null {
  const tag = bytes[start] ?? 0
  let at = start + 1
  // 8.1.2.4: a tag number above 30 goes on while the highest bit is set.
  if ((tag & 0x1f) === 0x1f) while (((bytes[at++] ?? 0) & 0x80) !== 0);

  const first = bytes[at++]
  if (first === undefined) return null
  const constructed = (tag & 0x20) !== 0
  const endOfContents = tag === 0 && first === 0
  if (first < 0x80) return { contentStart: at, length: first, constructed, endOfContents }
  if (first === 0x80) {
    return constructed ? { contentStart: at, length: null, constructed, endOfContents } : null
  }

  let length = 0
  for (let octets = first & 0x7f; octets > 0; octets--) length = length * 256 + (bytes[at++] ?? 0)
  return { contentStart: at, length, constructed, endOfContents }
}
