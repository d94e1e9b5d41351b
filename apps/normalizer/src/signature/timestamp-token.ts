import { digestName } from './algorithm.ts'
import { algorithmIdentifier } from './algorithm-identifier.ts'
import {
  type Asn1,
  childrenOf,
  isTagged,
  isUniversal,
  MalformedAsn1Error,
  parseAsn1,
  sameBytes,
  unlessMalformed,
} from './asn1.ts'
import { octetsOf, smallInteger, timeOf } from './asn1-value.ts'
import { type Certificate, extensionsOf } from './certificate.ts'
import type { SignedData } from './cms.ts'
import { isForTimeStamping } from './path-validation.ts'
import { checkSigner, contentDigest, type SignedContent } from './signer-check.ts'
import { signingCertificate, signingCertificateV2 } from './signer-certificate.ts'
import type { ValidationMaterial } from './validation-material.ts'

/** What a time-stamp token (RFC 3161) says and whether it holds. */
export interface TimestampCheck {
  readonly reason: string | null
  readonly certificate: Certificate | null
  readonly weakAlgorithm: string | null
  readonly genTime: Date
  /** Its signer is meant for time-stamping (2.3) and named by what is signed (2.4.1). */
  readonly byAuthority: boolean
}

const tstInfoType = '1.2.840.113549.1.9.16.1.4'

/**
 * Verifies a token over what it stamps.
 *
 * @throws {MalformedAsn1Error} when it is no time-stamp token
 */
export function checkTimestamp(
  token: SignedData,
  stamped: SignedContent,
  material: ValidationMaterial,
): TimestampCheck {
  const { content, signer } = token
  if (token.contentType !== tstInfoType || !content) {
    throw new MalformedAsn1Error('not a time-stamp token')
  }
  const info = tstInfo(content)
  const check = checkSigner(token, { parts: [content] }, material)
  const { certificate, weakAlgorithm } = check
  const attributes = signer.signedAttributes?.values
  const namesItself = attributes?.has(signingCertificate) || attributes?.has(signingCertificateV2)
  return {
    reason: check.reason ?? imprintFault(info, stamped),
    certificate,
    weakAlgorithm,
    genTime: info.genTime,
    byAuthority:
      namesItself === true &&
      certificate !== null &&
      unlessMalformed(() => isForTimeStamping(certificate)) === true,
  }
}

/** A token that holds over what it stamps, made by an authority. */
export function isGoodTimestamp(
  timestamp: TimestampCheck | 'faulty' | null,
): timestamp is TimestampCheck {
  if (timestamp === null || timestamp === 'faulty') return false
  return timestamp.reason === null && timestamp.byAuthority
}

interface TstInfo {
  readonly imprint: Asn1
  readonly genTime: Date
}

/** RFC 3161, 2.4.2. */
function tstInfo(content: Uint8Array): TstInfo {
  const [version, , imprint, serial, genTime, ...optional] = childrenOf(parseAsn1(content).value)
  const extensions = optional.find((field) => isTagged(field, 1))
  const hasUnknown =
    extensions && [...extensionsOf(extensions).values()].some(({ critical }) => critical)
  if (!version || smallInteger(version) !== 1 || !isUniversal(serial, 'integer') || hasUnknown) {
    throw new MalformedAsn1Error('not a TSTInfo')
  }
  if (!isUniversal(imprint, 'sequence') || !isUniversal(genTime, 'generalizedTime')) {
    throw new MalformedAsn1Error('not a TSTInfo')
  }
  return { imprint, genTime: timeOf(genTime) }
}

function imprintFault({ imprint }: TstInfo, stamped: SignedContent): string | null {
  const [algorithm, hash] = childrenOf(imprint)
  const { oid } = algorithmIdentifier(algorithm)
  const digest = digestName(oid)
  if (digest === null) return `unsupported algorithm ${oid}`
  return sameBytes(octetsOf(hash), contentDigest(stamped, digest)) ? null : 'digest mismatch'
}
