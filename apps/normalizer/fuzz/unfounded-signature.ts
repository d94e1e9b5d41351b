import type { Ending } from '../trial/watched-pool.ts'

/** How many signatures of the document are called valid. */
export function validSignatures(ending: Ending): number {
  if (!('security' in ending)) return 0
  const results = ending.security.signatureVerificationResults ?? []
  return results.filter(({ valid }) => valid).length
}

/**
 * A signature that is called valid although the file, one character a byte, does not hold what a signature of one of
 * the originals covers, as a sentence; null when there is none. What stands in its gap may differ: nothing covers it.
 */
export function unfoundedSignature(
  ending: Ending,
  file: string,
  originals: readonly string[],
): string | null {
  if (validSignatures(ending) === 0) return null
  const isFounded = originals.some((original) =>
    [...original.matchAll(byteRanges)].some((range) => {
      const [start, length, next, rest] = range.slice(1).map(Number) as [
        number,
        number,
        number,
        number,
      ]
      return [
        [start, start + length],
        [next, next + rest],
      ].every(([from, to]) => file.slice(from, to) === original.slice(from, to))
    }),
  )
  return isFounded ? null : 'a signature is called valid that covers other bytes than were signed'
}

const byteRanges = /\/ByteRange\s*\[\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*\]/g
