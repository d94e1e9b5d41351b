/** Bytes as lower-case hexadecimal digits. */
export function hexOf(bytes: Iterable<number>): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Base64 (RFC 4648, section 4) or base64url (section 5), padded or not; null when it is neither. */
export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(text)) return null
  const base64 = text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '')
  if (base64.length % 4 === 1) return null
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

export function base64Of(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
}
