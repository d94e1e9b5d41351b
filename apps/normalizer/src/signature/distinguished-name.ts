import { type Asn1, childAt, childrenOf } from './asn1.ts'
import { oidOf, textOf } from './asn1-value.ts'

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
  const value = childAt(attribute, 1)
  const text = textOf(value)?.normalize('NFKC').trim().replace(/\s+/gu, ' ').toLowerCase()
  const comparable = text === undefined ? hexOf(value) : JSON.stringify(text)
  return `${oidOf(childAt(attribute, 0))}=${comparable}`
}

function attributeText(attribute: Asn1): string {
  const type = oidOf(childAt(attribute, 0))
  const value = childAt(attribute, 1)
  const descriptor = descriptors[type]
  const text = descriptor === undefined ? null : textOf(value)
  // RFC 4514, 2.4: without a descriptor, or for what is not a string, the encoding itself.
  if (text === null) return `${descriptor ?? type}=#${hexOf(value)}`
  return `${descriptor}=${escaped(text)}`
}

function hexOf({ encoding }: Asn1): string {
  return Buffer.from(encoding).toString('hex')
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
