/**
 * The text of an XML document in UTF-8, UTF-16 or UTF-32: told by its byte order mark, else by the zero bytes around
 * a leading `<` (XML 1.0, appendix F.1).
 *
 * @returns null when the bytes are not of that encoding
 */
export function decodeXml(bytes: Uint8Array): string | null {
  const first = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const start = bytes.length >= 4 ? first.getUint32(0) : 0
  if (start === 0x3c || start === 0xfeff) return decodeUtf32(first, false)
  if (start === 0x3c000000 || start === 0xfffe0000) return decodeUtf32(first, true)
  try {
    return new TextDecoder(xmlEncoding(start >>> 16), { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

function xmlEncoding(start: number): string {
  if (start === 0xfeff || start === 0x3c) return 'utf-16be'
  if (start === 0xfffe || start === 0x3c00) return 'utf-16le'
  return 'utf-8'
}

function decodeUtf32(view: DataView, littleEndian: boolean): string | null {
  let text = ''
  for (let at = 0; at + 4 <= view.byteLength; at += 4) {
    const code = view.getUint32(at, littleEndian)
    if (code > 0x10ffff) return null
    if (at > 0 || code !== 0xfeff) text += String.fromCodePoint(code)
  }
  return text
}
