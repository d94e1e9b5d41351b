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

/**
 * {@link decodeXml} for packets as they occur: bytes that are no UTF-8 are Windows-1252, as readers of XMP take them, and in
 * the other encodings U+FFFD; null only for what is no Unicode at all.
 */
export function decodeXmlLoosely(bytes: Uint8Array): string | null {
  const isUtf8 = encodingLabel(bytes) === 'utf-8'
  return isUtf8 ? (decode(bytes, true) ?? decodeMixed(bytes)) : decode(bytes, false)
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

function decodeMixed(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('latin1')
    .replace(beyondAscii, (run) => {
      const raw = Buffer.from(run, 'latin1')
      return run.length > 1 ? raw.toString('utf8') : windows1252.decode(raw)
    })
    .replace(/^\ufeff/, '')
}

/** A character of UTF-8 (RFC 3629, section 4), else one byte. */
const beyondAscii =
  /[\xc2-\xdf][\x80-\xbf]|(?:\xe0[\xa0-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]|\xed[\x80-\x9f])[\x80-\xbf]|(?:\xf0[\x90-\xbf]|[\xf1-\xf3][\x80-\xbf]|\xf4[\x80-\x8f])[\x80-\xbf]{2}|[\x80-\xff]/g
const windows1252 = new TextDecoder('windows-1252')

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
