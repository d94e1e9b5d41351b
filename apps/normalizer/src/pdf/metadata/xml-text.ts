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
  if (!raw.includes('&')) return legalText(raw)
  // All matches are collected before the first is replaced: an ampersand by itself is found before that.
  if (/&(?![^;&<]{1,10};)/.test(raw)) throw new MalformedXml()
  return legalText(raw).replace(/&([^;&<]{1,10});/g, (_, body: string) => {
    const character = body.startsWith('#') ? numericCharacter(body.slice(1)) : predefined.get(body)
    if (character === undefined) throw new MalformedXml()
    return character
  })
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

/** Whether the text can stand as a namespace prefix or a local name. */
export function isNcName(text: string): boolean {
  return ncName.test(text)
}

/** XML 1.0, 2.3, as far as the ranges of letters go; \u00d7 and \u00f7 are signs. */
const ncName =
  /^[A-Z_a-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\uffff][-.\w\u00b7-\u00d6\u00d8-\u00f6\u00f8-\uffff]*$/
