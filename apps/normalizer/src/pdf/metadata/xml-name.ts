import { MalformedXml } from './xml-text.ts'

/** Where the name that begins at a place ends (XML 1.0, 2.3, as far as the ranges of letters go); the same place for none. */
export function endOfName(text: string, start: number): number {
  if (!isFirst(text.charCodeAt(start))) return start
  let at = start + 1
  while (isLater(text.charCodeAt(at))) at++
  return at
}

/** Beyond the end of a text there is no number, and nothing is in any range. */
function isFirst(code: number): boolean {
  return code < 0x80 ? ascii[code] === first : code >= 0xc0 && code <= lastOfNames
}

function isLater(code: number): boolean {
  return code < 0x80 ? ascii[code] !== none : code >= 0xb7 && code <= lastOfNames
}

const lastOfNames = 0xfffd
const colon = 0x3a
const none = 0
const later = 1
const first = 2

/** What each character of ASCII can be in a name. */
const ascii: Readonly<Uint8Array> = Uint8Array.from({ length: 0x80 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/[:A-Z_a-z]/.test(character)) return first
  return /[-.0-9]/.test(character) ? later : none
})

/**
 * A qualified name in its two parts; the prefix is empty where there is none.
 *
 * @throws {MalformedXml} when one of two parts cannot be one
 */
export function splitName(qualifiedName: string): { prefix: string; name: string } {
  const colon = qualifiedName.indexOf(':')
  if (colon === -1) return { prefix: '', name: qualifiedName }
  const prefix = qualifiedName.slice(0, colon)
  const name = qualifiedName.slice(colon + 1)
  if (!isNcName(prefix) || !isNcName(name)) throw new MalformedXml()
  return { prefix, name }
}

/** Whether no two have the same name in the same namespace. */
export function areDistinct(named: readonly { namespace: string; name: string }[]): boolean {
  if (named.length > mostCompared) {
    return new Set(named.map(({ namespace, name }) => `${namespace} ${name}`)).size === named.length
  }
  for (let at = 1; at < named.length; at++) {
    for (let before = 0; before < at; before++) {
      if (
        named[at]?.name === named[before]?.name &&
        named[at]?.namespace === named[before]?.namespace
      ) {
        return false
      }
    }
  }
  return true
}

/** To compare so many with each other takes no longer than to make keys of them. */
const mostCompared = 16

/** Whether the text can stand as a namespace prefix or a local name. */
export function isNcName(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 0x80) return ncName.test(text)
    if (code === colon || !(at === 0 ? isFirst(code) : isLater(code))) return false
  }
  return text !== ''
}

/** XML 1.0, 2.3, as far as the ranges of letters go; \u00d7 and \u00f7 are signs. */
const ncName =
  /^[A-Z_a-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\uffff][-.\w\u00b7-\u00d6\u00d8-\u00f6\u00f8-\uffff]*$/
