import { BasicConstraints, CertificatePolicies, ExtKeyUsage, PolicyMappings } from 'pkijs'
import {
  childrenOf,
  contentOf,
  decodedFrom,
  isTagged,
  namedBits,
  octetsOf,
  parseAsn1,
  smallInteger,
} from './asn1.ts'
import type { Certificate, Extension, Extensions } from './certificate.ts'
import { MalformedAsn1Error, unlessMalformed } from './malformed.ts'

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

/** Lists of policies; name constraints and alternative names, which list more, are read elsewhere. */
const maxPolicyOctets = 64 * 1024

/** 4.2.1.9: null without the extension. @throws {MalformedAsn1Error} */
export function basicConstraints({ extensions }: Certificate): {
  authority: boolean
  pathLength: number | null
} | null {
  return readBasicConstraints(extensions)
}

const readBasicConstraints = extensionReader(extensionId.basicConstraints, 256, (value) => {
  const { cA, pathLenConstraint: length } = decodedFrom(BasicConstraints, value)
  if (length === undefined) return { authority: cA, pathLength: null }
  // The library reads numbers of up to three octets.
  const pathLength = typeof length === 'number' ? length : smallInteger(length)
  if (pathLength < 0) throw new MalformedAsn1Error('a path of negative length')
  return { authority: cA, pathLength }
})

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
  const bits = readKeyUsage(extensions)
  return bits === null || uses.some((use) => bits.has(keyUsageBit[use]))
}

const readKeyUsage = extensionReader(extensionId.keyUsage, 256, (value) =>
  namedBits(parseAsn1(value).value),
)

/** 4.2.1.12: object identifiers; null without the extension. @throws {MalformedAsn1Error} */
export function extendedKeyUsage({ extensions }: Certificate): readonly string[] | null {
  return readExtendedKeyUsage(extensions)
}

const readExtendedKeyUsage = extensionReader(
  extensionId.extendedKeyUsage,
  2048,
  (value): readonly string[] => decodedFrom(ExtKeyUsage, value).keyPurposes,
)

/** 4.2.1.2. @throws {MalformedAsn1Error} */
export function subjectKeyIdentifier({ extensions }: Certificate): Uint8Array | null {
  return readSubjectKeyIdentifier(extensions)
}

const readSubjectKeyIdentifier = extensionReader(extensionId.subjectKeyIdentifier, 256, (value) =>
  octetsOf(parseAsn1(value).value),
)

/** The key identifier of 4.2.1.1. @throws {MalformedAsn1Error} */
export function authorityKeyIdentifier(extensions: Extensions): Uint8Array | null {
  return readAuthorityKeyIdentifier(extensions)
}

/** Issuer and serial number, which may follow, are not looked at. */
const readAuthorityKeyIdentifier = extensionReader(
  extensionId.authorityKeyIdentifier,
  2048,
  (value) => {
    const field = childrenOf(parseAsn1(value).value).find((one) => isTagged(one, 0))
    return field ? contentOf(field) : null
  },
)

/** 4.2.1.4: identifiers of policies; null without the extension. @throws {MalformedAsn1Error} */
export function certificatePolicies({ extensions }: Certificate): readonly string[] | null {
  return readCertificatePolicies(extensions)
}

const readCertificatePolicies = extensionReader(
  extensionId.certificatePolicies,
  maxPolicyOctets,
  (value): readonly string[] =>
    decodedFrom(CertificatePolicies, value).certificatePolicies.map(
      ({ policyIdentifier }) => policyIdentifier,
    ),
)

/** 4.2.1.5: pairs of a policy of the issuer and one of the subject. @throws {MalformedAsn1Error} */
export function policyMappings({
  extensions,
}: Certificate): readonly (readonly [string, string])[] {
  return readPolicyMappings(extensions) ?? []
}

const readPolicyMappings = extensionReader(
  extensionId.policyMappings,
  maxPolicyOctets,
  (value): readonly (readonly [string, string])[] =>
    decodedFrom(PolicyMappings, value).mappings.map(
      ({ issuerDomainPolicy, subjectDomainPolicy }) => [issuerDomainPolicy, subjectDomainPolicy],
    ),
)

/** 4.2.1.11 and 4.2.1.14: after how many further certificates each begins; null where it never does. @throws {MalformedAsn1Error} */
export function policyLimits({ extensions }: Certificate): {
  explicitPolicy: number | null
  policyMapping: number | null
  anyPolicy: number | null
} {
  const constraints = readPolicyConstraints(extensions)
  return {
    explicitPolicy: constraints?.explicitPolicy ?? null,
    policyMapping: constraints?.policyMapping ?? null,
    anyPolicy: readInhibitAnyPolicy(extensions),
  }
}

/** Not by `PolicyConstraints` of pkijs, which reads a large number as zero. */
const readPolicyConstraints = extensionReader(extensionId.policyConstraints, 256, (value) => {
  const fields = childrenOf(parseAsn1(value).value)
  const skipped = (number: number): number | null => {
    const field = fields.find((one) => isTagged(one, number))
    return field ? smallInteger(field) : null
  }
  return { explicitPolicy: skipped(0), policyMapping: skipped(1) }
})

const readInhibitAnyPolicy = extensionReader(extensionId.inhibitAnyPolicy, 256, (value) =>
  smallInteger(parseAsn1(value).value),
)

/**
 * Reads what an extension says, once for each certificate, since path building asks again and again.
 *
 * @param maxOctets that it may have: what anybody may add to a document, without having it signed, has to be cheap
 */
function extensionReader<T>(
  oid: string,
  maxOctets: number,
  read: (value: Uint8Array) => T,
): (extensions: Extensions) => T | null {
  const readings = new WeakMap<Extension, { said: T } | MalformedAsn1Error>()
  return (extensions) => {
    const extension = extensions.get(oid)
    if (!extension) return null
    const reading = readings.get(extension) ?? readingOf(extension, maxOctets, read)
    readings.set(extension, reading)
    if (reading instanceof MalformedAsn1Error) throw reading
    return reading.said
  }
}

function readingOf<T>(
  { value }: Extension,
  maxOctets: number,
  read: (value: Uint8Array) => T,
): { said: T } | MalformedAsn1Error {
  if (value.length > maxOctets) return new MalformedAsn1Error('an extension is too long')
  const reading = unlessMalformed(() => ({ said: read(value) }))
  return reading ?? new MalformedAsn1Error('an extension that cannot be read')
}
