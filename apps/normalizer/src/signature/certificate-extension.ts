import { childAt, childrenOf, isTagged, isUniversal, parseAsn1 } from './asn1.ts'
import { booleanOf, joinedOctets, namedBits, octetsOf, oidOf, smallInteger } from './asn1-value.ts'
import type { Certificate, Extensions } from './certificate.ts'

/** Extensions of RFC 5280, 4.2, that path validation acts on. */
export const extensionId = {
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  issuerAltName: '2.5.29.18',
  basicConstraints: '2.5.29.19',
  nameConstraints: '2.5.29.30',
  crlDistributionPoints: '2.5.29.31',
  certificatePolicies: '2.5.29.32',
  policyMappings: '2.5.29.33',
  authorityKeyIdentifier: '2.5.29.35',
  policyConstraints: '2.5.29.36',
  extendedKeyUsage: '2.5.29.37',
  inhibitAnyPolicy: '2.5.29.54',
} as const

/** `qcStatements` (RFC 3739) limit what a certificate is liable for, not whom it belongs to. */
const harmless = ['1.3.6.1.5.5.7.1.3']

/** 4.2: a certificate with a critical extension that is not understood is not to be relied on. */
export function hasUnknownCritical({ extensions }: Certificate): boolean {
  const known = new Set<string>([...Object.values(extensionId), ...harmless])
  return [...extensions].some(([oid, { critical }]) => critical && !known.has(oid))
}

/** 4.2.1.9: null without the extension. @throws {MalformedAsn1Error} */
export function basicConstraints({ extensions }: Certificate): {
  authority: boolean
  pathLength: number | null
} | null {
  const extension = extensions.get(extensionId.basicConstraints)
  if (!extension) return null
  const [first, second] = childrenOf(parseAsn1(extension.value).value)
  const authority = isUniversal(first, 'boolean') && booleanOf(first)
  const length = isUniversal(first, 'boolean') ? second : first
  return { authority, pathLength: length ? smallInteger(length) : null }
}

/** 4.2.1.3, by bit number. */
export const keyUsageBit = {
  digitalSignature: 0,
  nonRepudiation: 1,
  keyCertSign: 5,
  crlSign: 6,
} as const

/** Whether the key may be used for one of these; without the extension it may. @throws {MalformedAsn1Error} */
export function allowsUse(
  { extensions }: Certificate,
  ...uses: readonly (keyof typeof keyUsageBit)[]
): boolean {
  const extension = extensions.get(extensionId.keyUsage)
  if (!extension) return true
  const bits = namedBits(parseAsn1(extension.value).value)
  return uses.some((use) => bits.has(keyUsageBit[use]))
}

/** 4.2.1.12: object identifiers; null without the extension. @throws {MalformedAsn1Error} */
export function extendedKeyUsage({ extensions }: Certificate): readonly string[] | null {
  const extension = extensions.get(extensionId.extendedKeyUsage)
  return extension ? childrenOf(parseAsn1(extension.value).value).map(oidOf) : null
}

/** 4.2.1.2. @throws {MalformedAsn1Error} */
export function subjectKeyIdentifier({ extensions }: Certificate): Uint8Array | null {
  const extension = extensions.get(extensionId.subjectKeyIdentifier)
  return extension ? octetsOf(parseAsn1(extension.value).value) : null
}

/** The key identifier of 4.2.1.1. @throws {MalformedAsn1Error} */
export function authorityKeyIdentifier(extensions: Extensions): Uint8Array | null {
  const extension = extensions.get(extensionId.authorityKeyIdentifier)
  if (!extension) return null
  const field = childrenOf(parseAsn1(extension.value).value).find((one) => isTagged(one, 0))
  return field ? joinedOctets(field) : null
}

/** 4.2.1.4: identifiers of policies; null without the extension. @throws {MalformedAsn1Error} */
export function certificatePolicies({ extensions }: Certificate): readonly string[] | null {
  const extension = extensions.get(extensionId.certificatePolicies)
  if (!extension) return null
  return childrenOf(parseAsn1(extension.value).value).map((information) =>
    oidOf(childAt(information, 0)),
  )
}

/** 4.2.1.5: pairs of a policy of the issuer and one of the subject. @throws {MalformedAsn1Error} */
export function policyMappings({
  extensions,
}: Certificate): readonly (readonly [string, string])[] {
  const extension = extensions.get(extensionId.policyMappings)
  if (!extension) return []
  return childrenOf(parseAsn1(extension.value).value).map(
    (mapping) => [oidOf(childAt(mapping, 0)), oidOf(childAt(mapping, 1))] as const,
  )
}

/** 4.2.1.11 and 4.2.1.14: after how many further certificates each begins; null where it never does. @throws {MalformedAsn1Error} */
export function policyLimits({ extensions }: Certificate): {
  explicitPolicy: number | null
  policyMapping: number | null
  anyPolicy: number | null
} {
  const constraints = extensions.get(extensionId.policyConstraints)
  const fields = constraints ? childrenOf(parseAsn1(constraints.value).value) : []
  const skipped = (number: number): number | null => {
    const field = fields.find((one) => isTagged(one, number))
    return field ? smallInteger(field) : null
  }
  const inhibited = extensions.get(extensionId.inhibitAnyPolicy)
  return {
    explicitPolicy: skipped(0),
    policyMapping: skipped(1),
    anyPolicy: inhibited ? smallInteger(parseAsn1(inhibited.value).value) : null,
  }
}
