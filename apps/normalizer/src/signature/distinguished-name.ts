import { BaseStringBlock } from 'asn1js'
import { type Asn1, childAt, childrenOf, encodingOf, oidOf } from './asn1.ts'

/** Descriptors registered for LDAP (RFC 4519, RFC 4524, IANA's registry of LDAP parameters). */
const descriptors: Readonly<Record<string, string>> = {
  '2.5.4.3': 'CN',
  '2.5.4.4': 'SN',
  '2.5.4.5': 'serialNumber',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.9': 'STREET',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '2.5.4.12': 'title',
  '2.5.4.17': 'postalCode',
  '2.5.4.42': 'givenName',
  '2.5.4.43': 'initials',
  '2.5.4.44': 'generationQualifier',
  '2.5.4.46': 'dnQualifier',
  '2.5.4.65': 'pseudonym',
  '2.5.4.97': 'organizationIdentifier',
  '0.9.2342.19200300.100.1.1': 'UID',
  '0.9.2342.19200300.100.1.25': 'DC',
  '1.2.840.113549.1.9.1': 'emailAddress',
}

/**
 * A distinguished name as the string of RFC 4514: last component first, attributes of one component joined by `+`.
 *
 * @throws {MalformedAsn1Error}
 */
export function distinguishedName(name: Asn1): string {
  const components = childrenOf(name).map((component) =>
    childrenOf(component).map(attributeText).join('+'),
  )
  return components.toReversed().join(',')
}

/**
 * The components of a name, first to last, in a form in which equal ones are equal strings: white space and the case of
 * letters do not count, nor which kind of string is used, nor the order within a component (RFC 5280, 7.1).
 *
 * @throws {MalformedAsn1Error}
 */
export function comparableName(name: Asn1): readonly string[] {
  return childrenOf(name).map((component) =>
    childrenOf(component).map(comparableAttribute).toSorted().join('+'),
  )
}

export function sameName(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((component, index) => component === b[index])
}

function comparableAttribute(attribute: Asn1): string {
  const { type, value } = typeAndValue(attribute)
  const text = textOf(value)?.normalize('NFKC').trim().replace(/\s+/gu, ' ').toLowerCase()
  const comparable = text === undefined ? hexOf(value) : JSON.stringify(text)
  return `${type}=${comparable}`
}

function attributeText(attribute: Asn1): string {
  const { type, value } = typeAndValue(attribute)
  const descriptor = descriptors[type]
  const text = descriptor === undefined ? null : textOf(value)
  // RFC 4514, 2.4: without a descriptor, or for what is not a string, the encoding itself.
  if (text === null) return `${descriptor ?? type}=#${hexOf(value)}`
  return `${descriptor}=${escaped(text)}`
}

function typeAndValue(attribute: Asn1): { type: string; value: Asn1 } {
  return { type: oidOf(childAt(attribute, 0)), value: childAt(attribute, 1) }
}

/** X.680, 8.4: UTF8String, Numeric to IA5, Graphic to UniversalString, BMPString; not the times among them. */
const textTags: ReadonlySet<number> = new Set([12, 18, 19, 20, 21, 22, 25, 26, 27, 28, 30])

/** null for what is no character string in one piece. */
function textOf(value: Asn1): string | null {
  const { isConstructed, tagNumber } = value.idBlock
  const isText = value instanceof BaseStringBlock && textTags.has(tagNumber) && !isConstructed
  return isText ? value.getValue() : null
}

function hexOf(value: Asn1): string {
  return Buffer.from(encodingOf(value)).toString('hex')
}

/** RFC 4514, 2.4. Control characters are written in hexadecimal too: nothing that prints the name has to fear them. */
function escaped(text: string): string {
  return text
    .replace(/[\\"+,;<>]/g, '\\$&')
    .replace(/^[ #]/, '\\$&')
    .replace(/ $/, '\\ ')
    .replace(/\p{Cc}/gu, (control) => {
      const hex = Buffer.from(control, 'utf8').toString('hex').toUpperCase()
      return hex.replace(/../g, '\\$&')
    })
}
