import { type PdfObject, PdfString } from '../pdf/object.ts'
import { decodeTextString } from '../pdf/text-string.ts'
import type { Place } from './failures.ts'
import { RuleSet } from './rule.ts'
import type { Validation } from './validation.ts'

/** The value of `/Lang`: of the catalog, a structure element or a property list. Anything but a string says nothing. */
export function checkLanguage(
  validation: Validation,
  language: PdfObject | undefined,
  place: Place,
): void {
  const value = validation.graph.resolve(language)
  if (value instanceof PdfString) validation.check(languageRules, decodeTextString(value), place)
}

/** The value of `/ActualText`: of a structure element or a property list. */
export function checkActualText(
  validation: Validation,
  text: PdfObject | undefined,
  place: Place,
): void {
  const value = validation.graph.resolve(text)
  if (value instanceof PdfString) validation.check(actualTextRules, decodeTextString(value), place)
}

/**
 * A name that is shown to people: of a font, a colourant or a structure type.
 *
 * @param name one character for each byte, as names have it
 */
export function checkUnicodeName(validation: Validation, name: string, place: Place): void {
  validation.check(unicodeNameRules, name, place)
}

/** RFC 1766; since part 2 RFC 3066, whose later subtags may have digits. An empty text says that it is not known. */
const languageRules = new RuleSet<string>('language', [
  {
    clauses: { '1a': '6.8.4 t1' },
    description: 'Languages are named by their tags (RFC 1766)',
    holds: (language) => language === '' || /^[a-z]{1,8}(-[a-z]{1,8})*$/i.test(language),
    found: quoted,
  },
  {
    clauses: { '2a 3a': '6.7.4 t1' },
    description: 'Languages are named by their tags (RFC 3066)',
    holds: (language) => language === '' || /^[a-z]{1,8}(-[a-z0-9]{1,8})*$/i.test(language),
    found: quoted,
  },
])

/** What was found, as far as one line of a list has room for it. */
function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 80))
}

const actualTextRules = new RuleSet<string>('replacement text', [
  {
    clauses: { '4': '6.2.10.8 t1' },
    description: 'Replacement text (/ActualText) has no character of a private use area',
    holds: (text) => !/\p{Co}/u.test(text),
  },
])

const unicodeNameRules = new RuleSet<string>('name', [
  {
    clauses: { '2-3': '6.1.8 t1', '4': '6.1.7 t1' },
    description: 'Names of fonts, colourants and structure types are UTF-8',
    holds: isUtf8,
    found: quoted,
  },
])

function isUtf8(bytes: string): boolean {
  if (/^[\x20-\x7e]*$/.test(bytes)) return true
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(bytes, 'latin1'))
    return true
  } catch {
    return false
  }
}
