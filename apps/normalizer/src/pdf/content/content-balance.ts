/** What a page's content leaves open at its end. */
export interface ContentBalance {
  /** `q` without `Q`. */
  readonly openStates: number
  /** `BMC` or `BDC` without `EMC`. */
  readonly openMarks: number
  /** `BT` without `ET`. */
  readonly openText: boolean
  /** Offsets of `Q` where nothing was saved; viewers pass over them. */
  readonly excessRestores: readonly number[]
  /** Where a string or an inline image begins that never ends; null if all end. */
  readonly brokenOff: number | null
}

/**
 * Counts what content stream operators open and close (ISO 32000-2, 8.4.2, 9.4.1, 14.6). Operators in strings,
 * comments and inline images do not count.
 */
export function contentBalance(content: Uint8Array): ContentBalance {
  const buffer = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  const excessRestores: number[] = []
  let openStates = 0
  let openMarks = 0
  let openText = false
  let brokenOff: number | null = null
  let imageStart: number | null = null
  let at = 0

  while (at < content.length) {
    const byte = content[at] ?? 0
    if (byte === 0x25) {
      at = endOfLine(content, at)
    } else if (byte === 0x28 || (byte === 0x3c && content[at + 1] !== 0x3c)) {
      const end = byte === 0x28 ? endOfLiteral(content, at) : content.indexOf(0x3e, at) + 1
      if (end <= 0) {
        brokenOff = at
        break
      }
      at = end
    } else if (byte === 0x2f) {
      at = endOfRegular(content, at + 1)
    } else if (!isRegular(byte)) {
      at++
    } else {
      const end = endOfRegular(content, at)
      const length = end - at
      const operator = length <= 3 ? buffer.toString('latin1', at, end) : ''
      if (operator === 'q') openStates++
      else if (operator === 'Q') {
        if (openStates > 0) openStates--
        else excessRestores.push(at)
      } else if (operator === 'BI') imageStart = at
      else if (operator === 'BT') openText = true
      else if (operator === 'ET') openText = false
      else if (operator === 'BMC' || operator === 'BDC') openMarks++
      else if (operator === 'EMC') openMarks = Math.max(0, openMarks - 1)
      else if (operator === 'ID' && imageStart !== null) {
        const afterImage = endOfInlineImage(content, buffer, end)
        if (afterImage === null) {
          brokenOff = imageStart
          break
        }
        imageStart = null
        at = afterImage
        continue
      }
      at = end
    }
  }
  return { openStates, openMarks, openText, excessRestores, brokenOff }
}

function endOfLine(content: Uint8Array, from: number): number {
  let at = from
  while (at < content.length && content[at] !== 0x0a && content[at] !== 0x0d) at++
  return at
}

/** Just past the closing parenthesis; 0 if there is none. */
function endOfLiteral(content: Uint8Array, from: number): number {
  let depth = 0
  for (let at = from; at < content.length; at++) {
    const byte = content[at]
    if (byte === 0x5c) at++
    else if (byte === 0x28) depth++
    else if (byte === 0x29 && --depth === 0) return at + 1
  }
  return 0
}

/** 8.9.7: data ends at `EI` between white space, and what follows is text again. */
function endOfInlineImage(content: Uint8Array, buffer: Buffer, from: number): number | null {
  for (let at = buffer.indexOf('EI', from); at >= 0; at = buffer.indexOf('EI', at + 1)) {
    const before = content[at - 1] ?? 0
    const after = content[at + 2]
    if (!isWhite(before) || (after !== undefined && !isWhite(after))) continue
    const following = content.subarray(at + 2, at + 12)
    if (following.every((byte) => isWhite(byte) || (byte > 0x20 && byte < 0x7f))) return at + 2
  }
  return null
}

function endOfRegular(content: Uint8Array, from: number): number {
  let at = from
  while (at < content.length && isRegular(content[at] ?? 0)) at++
  return at
}

function isRegular(byte: number): boolean {
  return !isWhite(byte) && !delimiters.has(byte)
}

function isWhite(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d && byte !== 0x0b) || byte === 0
}

const delimiters: ReadonlySet<number> = new Set(Buffer.from('()<>[]{}/%'))
