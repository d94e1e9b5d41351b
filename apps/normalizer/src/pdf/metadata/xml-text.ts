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
  return legalText(raw).replace(/&([^;&<]{0,10});?/g, (reference, body: string) => {
    if (!reference.endsWith(';')) throw new MalformedXml()
    const character = body.startsWith('#') ? numericCharacter(body.slice(1)) : predefined.get(body)
    if (character === undefined) throw new MalformedXml()
    return character
  })
}

function numericCharacter(digits: string): string {
  const code = /^x[0-9a-f]{1,6}$/i.test(digits)
    ? Number.parseInt(digits.slice(1), 16)
    : /^\d{1,7}$/.test(digits)
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
  return /^[A-Z_a-z\u00c0-\uffff][-.\w\u00b7-\uffff]*$/.test(text)
}
