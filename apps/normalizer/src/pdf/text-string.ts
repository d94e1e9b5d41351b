import { PdfString } from './object.ts'

/**
 * The text of a text string (ISO 32000-2, 7.9.2.2): UTF-16BE or UTF-8 by its byte order mark, else
 * PDFDocEncoding. UTF-16LE, which many producers write, is read too. Language escapes are left out.
 */
export function decodeTextString({ bytes }: PdfString): string {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return withoutLanguage(decode('utf-16be', bytes, 2))
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return withoutLanguage(decode('utf-16le', bytes, 2))
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return decode('utf-8', bytes, 3)
  return decodePdfDoc(bytes)
}

/** The one form in which text is written: ASCII as it is, anything else as UTF-16BE with its mark. */
export function encodeTextString(text: string): PdfString {
  // Printable ASCII means the same in PDFDocEncoding (annex D.2).
  if (/^[\x20-\x7e]*$/.test(text)) return new PdfString(Buffer.from(text, 'latin1'))
  return new PdfString(Buffer.from(`\ufeff${text}`, 'utf16le').swap16())
}

function decode(encoding: string, bytes: Uint8Array, start: number): string {
  return new TextDecoder(encoding).decode(bytes.subarray(start))
}

/** 7.9.2.2.1: U+001B, a language code, U+001B. */
function withoutLanguage(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.includes('\u001b') ? text.replace(/\u001b[A-Za-z]{2,8}\u001b/g, '') : text
}

function decodePdfDoc(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += pdfDocCharacter(byte)
  return text
}

/** Annex D.2, table D.2: what differs from Latin-1. */
const pdfDocLow = '\u02d8\u02c7\u02c6\u02d9\u02dd\u02db\u02da\u02dc'
const pdfDocHigh =
  '\u2022\u2020\u2021\u2026\u2014\u2013\u0192\u2044\u2039\u203a\u2212\u2030\u201e\u201c\u201d\u2018' +
  '\u2019\u201a\u2122\ufb01\ufb02\u0141\u0152\u0160\u0178\u017d\u0131\u0142\u0153\u0161\u017e'

function pdfDocCharacter(byte: number): string {
  if (byte >= 0x18 && byte <= 0x1f) return pdfDocLow.charAt(byte - 0x18)
  if (byte >= 0x80 && byte <= 0x9e) return pdfDocHigh.charAt(byte - 0x80)
  if (byte === 0xa0) return '\u20ac'
  if (byte === 0x7f || byte === 0x9f || byte === 0xad) return '\ufffd'
  return String.fromCharCode(byte)
}
