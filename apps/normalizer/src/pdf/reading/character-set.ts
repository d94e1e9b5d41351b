/** Classes of ISO 32000-2, 7.2.3; every byte that is in neither table there is regular. */
export const REGULAR = 0
export const WHITE_SPACE = 1
export const DELIMITER = 2

/** The class of each byte value. */
export const characterClass: Readonly<Uint8Array> = classes()

export const LF = 0x0a
export const CR = 0x0d

export function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39
}

export function isWhiteSpace(byte: number | undefined): boolean {
  return byte !== undefined && characterClass[byte] === WHITE_SPACE
}

export function isRegular(byte: number | undefined): boolean {
  return byte !== undefined && characterClass[byte] === REGULAR
}

/** Value of a hexadecimal digit; -1 for any other byte. */
export function hexadecimalDigit(byte: number | undefined): number {
  if (byte === undefined) return -1
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}

/** First position at or after `position` that is not white space; `end` if there is none. */
export function skipWhiteSpace(bytes: Uint8Array, position: number, end: number): number {
  let at = position
  while (at < end && isWhiteSpace(bytes[at])) at++
  return at
}

/** Position just past one end-of-line marker (CR LF, LF or CR) if one stands at `position`. */
export function skipEndOfLine(bytes: Uint8Array, position: number): number {
  if (bytes[position] === CR) return bytes[position + 1] === LF ? position + 2 : position + 1
  return bytes[position] === LF ? position + 1 : position
}

/** Whether the bytes at `position` are these ASCII characters. */
export function standsAt(bytes: Uint8Array, position: number, text: string): boolean {
  if (position < 0 || position + text.length > bytes.length) return false
  for (let i = 0; i < text.length; i++) {
    if (bytes[position + i] !== text.charCodeAt(i)) return false
  }
  return true
}

function classes(): Uint8Array {
  const table = new Uint8Array(256)
  for (const byte of [0x00, 0x09, 0x0a, 0x0c, 0x0d, 0x20]) table[byte] = WHITE_SPACE
  for (const character of '()<>[]{}/%') table[character.charCodeAt(0)] = DELIMITER
  return table
}
