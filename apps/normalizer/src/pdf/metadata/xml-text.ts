/** The text is no XML that a reader has to take. */
export class MalformedXml extends Error {}

const predefined: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])

/** XML 1.0, 4.1 and 4.6: character references and the five predefined entities; any other entity is a fault. */
export function unescapeXml(raw: string): string {
  const escaped = legalText(raw)
  let text = ''
  let at = 0
  for (let from = escaped.indexOf('&'); from !== -1; from = escaped.indexOf('&', at)) {
    const end = escaped.indexOf(';', from)
    if (end === -1 || end - from > longestReference) throw new MalformedXml()
    text += escaped.slice(at, from) + referredCharacter(escaped.slice(from + 1, end))
    at = end + 1
  }
  return text + escaped.slice(at)
}

/** From the ampersand to the semicolon: nobody writes more than `&#x0010FFFF;`. */
const longestReference = 11

function referredCharacter(body: string): string {
  const character = body.startsWith('#') ? numericCharacter(body.slice(1)) : predefined.get(body)
  if (character === undefined) throw new MalformedXml()
  return character
}

function numericCharacter(digits: string): string {
  const code = /^x[0-9a-fA-F]{1,8}$/.test(digits)
    ? Number.parseInt(digits.slice(1), 16)
    : /^\d{1,9}$/.test(digits)
      ? Number(digits)
      : -1
  if (code < 0 || code > 0x10ffff) throw new MalformedXml()
  return legalText(String.fromCodePoint(code))
}

/**
 * Whether text is all that it seems: nothing to unescape and no character that has to be looked at twice. Most text is,
 * and telling that in one pass takes less than each of the other questions.
 */
export function isPlainText(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code > lastPlain || (code < space && code !== lineFeed && code !== tab)) return false
    if (code === ampersand || code === closingBracket) return false
  }
  return true
}

const tab = 0x09
const lineFeed = 0x0a
const space = 0x20
const ampersand = 0x26
const closingBracket = 0x5d
/** Surrogates and what is none of XML stand behind it. */
const lastPlain = 0xd7ff

/** XML 1.0, 2.2: what no document holds, not even by a character reference. */
// oxlint-disable-next-line no-control-regex
const illegalCharacters = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/

export function legalText(text: string): string {
  if (illegalCharacters.test(text) || !text.isWellFormed()) throw new MalformedXml()
  return text
}

/** Control characters and references to them are spaces; what else XML does not allow stays. */
export function withoutControls(text: string): string {
  return text.replaceAll(controls, ' ')
}

const controls =
  // oxlint-disable-next-line no-control-regex
  /[\0-\x08\x0b\x0c\x0e-\x1f]|&#(?:0*(?:[0-8]|1[124-9]|2\d|3[01])|x0*(?:[0-8bcefBCEF]|1[\da-fA-F]));/g

/** XML 1.0, 2.3. */
export function isXmlSpace(text: string): boolean {
  return /^[ \t\r\n]*$/.test(text)
}

/** Escapes text for element content and for attributes in double quotes; characters that XML cannot hold are left out. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(new RegExp(illegalCharacters, 'g'), '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '&#xD;')
}
