/** What does not have the structure that its standard gives it. */
export class MalformedAsn1Error extends Error {}

/** What `read` gives; null when that is malformed, and so says nothing. */
export function unlessMalformed<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof MalformedAsn1Error) return null
    throw error
  }
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}
