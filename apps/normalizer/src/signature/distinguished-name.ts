import {
  type Asn1,
  childAt,
  childrenOf,
  encodingOf,
  MalformedAsn1Error,
  oidOf,
  parseAsn1,
} from './asn1.ts'

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
 * @param encoded the DER of the name
 * @throws {MalformedAsn1Error}
 */
export function distinguishedName(encoded: Uint8Array): string {
  const { value: name } = parseAsn1(encoded)
  const components = childrenOf(name).map((component) =>
    childrenOf(component).map(attributeText).join('+'),
  )
  return components.toReversed().join(',')
}

function attributeText(attribute: Asn1): string {
  const type = oidOf(childAt(attribute, 0))
  const value = childAt(attribute, 1)
  const descriptor = descriptors[type]
  const text = descriptor === undefined ? null : stringOf(value)
  // RFC 4514, 2.4: without a descriptor, or for what is not a string, the encoding itself.
  if (text === null)
    return `${descriptor ?? type}=#${Buffer.from(encodingOf(value)).toString('hex')}`
  return `${descriptor}=${escaped(text)}`
}

function stringOf(value: Asn1): string | null {
  try {
    const text: unknown = 'getValue' in value ? value.getValue() : null
    return typeof text === 'string' ? text : null
  } catch {
    throw new MalformedAsn1Error('not a character string')
  }
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
