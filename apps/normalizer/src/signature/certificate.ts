import { createPublicKey, type KeyObject } from 'node:crypto'
import { Certificate as PkiCertificate, ExtKeyUsage } from 'pkijs'
import {
  childAt,
  childrenOf,
  contentOf,
  encodingOf,
  isTagged,
  octetsOf,
  parseAsn1,
} from './asn1.ts'
import { distinguishedName } from './distinguished-name.ts'

/** What verification needs of an X.509 certificate (RFC 5280). */
export interface Certificate {
  readonly encoding: Uint8Array
  /** RFC 4514. */
  readonly subject: string
  /** DER of the issuer's name. */
  readonly issuer: Uint8Array
  /** Content bytes of the serial number. */
  readonly serial: Uint8Array
  readonly notBefore: Date
  readonly notAfter: Date
  /** null when the key's algorithm or parameters are not known here. */
  readonly publicKey: KeyObject | null
  readonly subjectKeyIdentifier: Uint8Array | null
  /** Object identifiers; null without the extension. */
  readonly extendedKeyUsage: readonly string[] | null
}

/** null when it is not a certificate. */
export function parseCertificate(encoding: Uint8Array): Certificate | null {
  try {
    return certificateOf(encoding)
  } catch {
    // The library throws its own and JavaScript's errors for what does not fit its schemas.
    return null
  }
}

function certificateOf(encoding: Uint8Array): Certificate {
  const { value } = parseAsn1(encoding)
  const fields = childrenOf(childAt(value, 0)).filter((field) => !isTagged(field, 0))
  const [serial, , issuer, , subject, publicKeyInfo] = fields
  if (!serial || !issuer || !subject || !publicKeyInfo) throw new Error('a field is missing')

  const parsed = new PkiCertificate({ schema: value })
  return {
    encoding,
    subject: distinguishedName(encodingOf(subject)),
    issuer: encodingOf(issuer),
    serial: contentOf(serial),
    notBefore: parsed.notBefore.value,
    notAfter: parsed.notAfter.value,
    publicKey: publicKeyOf(encodingOf(publicKeyInfo)),
    subjectKeyIdentifier: subjectKeyIdentifier(parsed),
    extendedKeyUsage: extendedKeyUsage(parsed),
  }
}

function publicKeyOf(subjectPublicKeyInfo: Uint8Array): KeyObject | null {
  try {
    return createPublicKey({ key: Buffer.from(subjectPublicKeyInfo), format: 'der', type: 'spki' })
  } catch {
    return null
  }
}

function extension(certificate: PkiCertificate, oid: string): Uint8Array | null {
  const found = certificate.extensions?.find(({ extnID }) => extnID === oid)
  return found ? new Uint8Array(found.extnValue.getValue()) : null
}

function subjectKeyIdentifier(certificate: PkiCertificate): Uint8Array | null {
  const encoded = extension(certificate, '2.5.29.14')
  return encoded && octetsOf(parseAsn1(encoded).value)
}

function extendedKeyUsage(certificate: PkiCertificate): readonly string[] | null {
  const encoded = extension(certificate, '2.5.29.37')
  return encoded && new ExtKeyUsage({ schema: parseAsn1(encoded).value }).keyPurposes
}
