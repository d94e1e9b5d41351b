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
  const units = new Uint16Array(bytes.length)
  let length = 0
  for (let at = 0; at < bytes.length;) {
    const size = characterSize(bytes, at)
    const lead = bytes[at] ?? 0
    let code = size === 1 ? (windows1252[lead] ?? 0) : lead & (0xff >> (size + 1))
    for (let next = at + 1; next < at + size; next++)
      code = (code << 6) | ((bytes[next] ?? 0) & 0x3f)
    at += size
    if (code < 0x10000) units[length++] = code
    else {
      units[length++] = 0xd7c0 + (code >> 10)
      units[length++] = 0xdc00 | (code & 0x3ff)
    }
  }
  return new TextDecoder('utf-16le').decode(units.subarray(0, length))
}

/** Bytes of the character of UTF-8 (RFC 3629, section 4) that begins here; 1 also for what begins none. */
function characterSize(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0
  const size = lead < 0xc2 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 1
  for (let next = at + 1; next < at + size; next++) {
    const [least, most] = (next === at + 1 && seconds[lead]) || [0x80, 0xbf]
    const byte = bytes[next] ?? 0
    if (byte < least || byte > most) return 1
  }
  return size
}

/** What may follow some first bytes: no longer forms than needed, no surrogates, nothing above U+10FFFF. */
const seconds: Readonly<Record<number, readonly [least: number, most: number]>> = {
  0xe0: [0xa0, 0xbf],
  0xed: [0x80, 0x9f],
  0xf0: [0x90, 0xbf],
  0xf4: [0x80, 0x8f],
}

const windows1252 = Uint16Array.from({ length: 256 }, (_, byte) =>
  new TextDecoder('windows-1252').decode(Uint8Array.of(byte)).charCodeAt(0),
)

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
