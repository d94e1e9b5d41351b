/** In the words of the encoding declaration of XML, without byte orders. */
export type XmlEncoding = 'UTF-8' | 'UTF-16' | 'UTF-32'

/** What an XML document is written in, told by its byte order mark, else by the zero bytes of its first character. */
export function xmlEncoding(bytes: Uint8Array): XmlEncoding {
  const label = encodingLabel(bytes)
  return label === 'utf-8' ? 'UTF-8' : label.startsWith('utf-16') ? 'UTF-16' : 'UTF-32'
}

/**
 * The text of an XML document in UTF-8, UTF-16 or UTF-32 (XML 1.0, appendix F.1).
 *
 * @returns null when the bytes are not of that encoding
 */
export function decodeXml(bytes: Uint8Array): string | null {
  return decode(bytes, true)
}

/** {@link decodeXml} with U+FFFD for bytes that are not of the encoding; null only for what is no Unicode at all. */
export function decodeXmlLoosely(bytes: Uint8Array): string | null {
  return decode(bytes, false)
}

function decode(bytes: Uint8Array, fatal: boolean): string | null {
  const label = encodingLabel(bytes)
  if (label === 'utf-32be' || label === 'utf-32le') return decodeUtf32(bytes, label === 'utf-32le')
  try {
    return new TextDecoder(label, { fatal }).decode(bytes)
  } catch {
    return null
  }
}

type EncodingLabel = 'utf-8' | 'utf-16be' | 'utf-16le' | 'utf-32be' | 'utf-32le'

function encodingLabel([first, second, third, fourth]: Uint8Array): EncodingLabel {
  if (fourth !== undefined) {
    if (first === 0 && second === 0) return 'utf-32be'
    if (third === 0 && fourth === 0 && (second === 0 || (first === 0xff && second === 0xfe)))
      return 'utf-32le'
  }
  if (first === 0 || (first === 0xfe && second === 0xff)) return 'utf-16be'
  if (second === 0 || (first === 0xff && second === 0xfe)) return 'utf-16le'
  return 'utf-8'
}

function decodeUtf32(bytes: Uint8Array, littleEndian: boolean): string | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let text = ''
  for (let at = 0; at + 4 <= view.byteLength; at += 4) {
    const code = view.getUint32(at, littleEndian)
    if (code > 0x10ffff) return null
    if (at > 0 || code !== 0xfeff) text += String.fromCodePoint(code)
  }
  return text
}
