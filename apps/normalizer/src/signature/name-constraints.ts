import { type Asn1, childAt, childrenOf, isTagged, parseAsn1 } from './asn1.ts'
import { extensionId } from './certificate-extension.ts'
import type { Certificate } from './certificate.ts'
import { type GeneralName, generalName } from './general-name.ts'

/** Which names the certificates below an authority may have (RFC 5280, 4.2.1.10). */
export interface NameConstraints {
  readonly permitted: readonly GeneralName[]
  readonly excluded: readonly GeneralName[]
}

/** Names times constraints that are compared for one certificate; more are taken for an attack and refused. */
const maxComparisons = 100_000

/** null without the extension. @throws {MalformedAsn1Error} */
export function nameConstraints({ extensions }: Certificate): NameConstraints | null {
  const extension = extensions.get(extensionId.nameConstraints)
  if (!extension) return null
  const fields = childrenOf(parseAsn1(extension.value).value)
  return {
    permitted: bases(fields.find((field) => isTagged(field, 0))),
    excluded: bases(fields.find((field) => isTagged(field, 1))),
  }
}

/** Whether all names of the certificate are permitted by all of them. @throws {MalformedAsn1Error} */
export function namesAllowed(
  certificate: Certificate,
  constraints: readonly NameConstraints[],
): boolean {
  if (constraints.length === 0) return true
  const names = namesOf(certificate)
  const bounds = constraints.reduce(
    (sum, one) => sum + one.permitted.length + one.excluded.length,
    0,
  )
  if (names.length * bounds > maxComparisons) return false
  return constraints.every(({ permitted, excluded }) =>
    names.every(
      (name) =>
        !excluded.some((base) => isWithin(name, base)) &&
        (permitted.every(({ form }) => form !== name.form) ||
          permitted.some((base) => isWithin(name, base))),
    ),
  )
}

function bases(subtrees: Asn1 | undefined): GeneralName[] {
  return subtrees ? childrenOf(subtrees).map((subtree) => generalName(childAt(subtree, 0))) : []
}

/** `emailAddress` in the subject counts as a name where there are no alternative ones of that form. */
const emailAttribute = '1.2.840.113549.1.9.1='

function namesOf(certificate: Certificate): GeneralName[] {
  const { subject, extensions } = certificate
  const alternative = extensions.get(extensionId.subjectAltName)
  const names = alternative ? childrenOf(parseAsn1(alternative.value).value).map(generalName) : []
  if (subject.length > 0) names.push({ form: 'directory', components: subject })
  if (!names.some(({ form }) => form === 'rfc822')) {
    for (const component of subject) {
      const text = component.startsWith(emailAttribute) && component.slice(emailAttribute.length)
      if (text && text.startsWith('"'))
        names.push({ form: 'rfc822', text: String(JSON.parse(text)) })
    }
  }
  return names
}

function isWithin(name: GeneralName, base: GeneralName): boolean {
  if (name.form === 'directory' && base.form === 'directory') {
    return base.components.every((component, index) => component === name.components[index])
  }
  if (name.form === 'rfc822' && base.form === 'rfc822') return mailWithin(name.text, base.text)
  if (name.form === 'dns' && base.form === 'dns') return hostWithin(name.text, base.text)
  if (name.form === 'uri' && base.form === 'uri') return uriWithin(name.text, base.text)
  if (name.form === 'ip' && base.form === 'ip') return addressWithin(name.octets, base.octets)
  // Forms that are not understood constrain everything of theirs.
  return name.form === 'other' && base.form === 'other'
}

/** A mailbox, all mailboxes of a host, or with a leading dot those of all hosts of a domain. */
function mailWithin(mailbox: string, base: string): boolean {
  const host = mailbox.slice(mailbox.lastIndexOf('@') + 1).toLowerCase()
  if (base.includes('@')) {
    const local = mailbox.slice(0, mailbox.lastIndexOf('@'))
    const at = base.lastIndexOf('@')
    return local === base.slice(0, at) && host === base.slice(at + 1).toLowerCase()
  }
  return base.startsWith('.') ? host.endsWith(base.toLowerCase()) : host === base.toLowerCase()
}

/** The name itself and everything that adds labels at its left. */
function hostWithin(host: string, base: string): boolean {
  const [name, domain] = [host.toLowerCase(), base.toLowerCase().replace(/^\./, '')]
  return domain === '' || name === domain || name.endsWith(`.${domain}`)
}

/** A host, or with a leading dot all hosts of a domain; a URI without a host is within none. */
function uriWithin(uri: string, base: string): boolean {
  const host = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/?#:[\]]+)/i.exec(uri)?.[1]?.toLowerCase()
  if (host === undefined) return false
  return base.startsWith('.') ? host.endsWith(base.toLowerCase()) : host === base.toLowerCase()
}

/** An address and a mask of the same length. */
function addressWithin(address: Uint8Array, base: Uint8Array): boolean {
  const { length } = address
  if (base.length !== length * 2) return false
  return address.every((octet, index) => {
    const mask = base[length + index] ?? 0
    return (octet & mask) === ((base[index] ?? 0) & mask)
  })
}
