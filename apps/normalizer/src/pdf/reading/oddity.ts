/**
 * What ISO 19005 forbids in the spelling of a direct object, and the limits of ISO 32000-1, annex C, that it asks to be
 * kept. Bits, so that the reader marks what it comes across and an object without any costs nothing.
 */
export const Oddity = {
  /** A hexadecimal string with an odd number of characters that are not white space. */
  oddHexString: 1 << 0,
  /** A hexadecimal string with characters that are neither digits nor white space. */
  foreignInHexString: 1 << 1,
  /** An integer beyond 32 bits with sign. */
  largeInteger: 1 << 2,
  /** A real number beyond ±32,767. */
  realBeyond16Bits: 1 << 3,
  /** A real number beyond ±3.403 × 10^38. */
  largeReal: 1 << 4,
  /** A real number other than 0 within ±1.175 × 10^-38. */
  tinyReal: 1 << 5,
  /** More than 127 bytes. */
  longName: 1 << 6,
  /** More than 32,767 bytes. */
  longString: 1 << 7,
  /** More than 65,535 bytes. */
  veryLongString: 1 << 8,
  /** More than 8,191 elements. */
  largeArray: 1 << 9,
  /** More than 4,095 entries. */
  largeDictionary: 1 << 10,
} as const

/** @param magnitude of a number as it was read, without its sign */
export function oddityOfNumber(magnitude: number, isInteger: boolean, isNegative: boolean): number {
  if (isInteger) return magnitude > (isNegative ? 2 ** 31 : 2 ** 31 - 1) ? Oddity.largeInteger : 0
  if (magnitude > largestReal) return Oddity.largeReal | Oddity.realBeyond16Bits
  if (magnitude > plainMagnitude) return Oddity.realBeyond16Bits
  return magnitude !== 0 && magnitude < smallestReal ? Oddity.tinyReal : 0
}

/** Up to here no number is odd but for being too close to 0. */
export const plainMagnitude = 32_767
const largestReal = 3.403e38
const smallestReal = 1.175e-38

export function oddityOfString(bytes: number): number {
  if (bytes <= longestPlainString) return 0
  return bytes > 65_535 ? Oddity.longString | Oddity.veryLongString : Oddity.longString
}

/**
 * @param pairs of digits, each of them a byte
 * @param isHalf whether a digit without another one follows
 * @param foreign characters that are neither digits nor white space
 */
export function oddityOfHexString(pairs: number, isHalf: boolean, foreign: number): number {
  const isOdd = isHalf !== (foreign % 2 === 1)
  return (
    (foreign > 0 ? Oddity.foreignInHexString : 0) |
    (isOdd ? Oddity.oddHexString : 0) |
    oddityOfString(pairs + (isHalf ? 1 : 0))
  )
}

export const longestPlainString = 32_767
export const longestPlainName = 127
export const largestPlainArray = 8_191
export const largestPlainDictionary = 4_095
