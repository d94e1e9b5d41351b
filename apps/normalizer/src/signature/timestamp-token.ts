import { type MessageImprint, TSTInfo } from 'pkijs'
import { digestName } from './algorithm.ts'
import { decodedFrom, octetsOf } from './asn1.ts'
import { type Certificate, extensionsOf } from './certificate.ts'
import type { SignedData } from './cms.ts'
import { MalformedAsn1Error, sameBytes, unlessMalformed } from './malformed.ts'
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
    reason: check.reason ?? imprintFault(info.messageImprint, stamped),
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

/** RFC 3161, 2.4.2. */
function tstInfo(content: Uint8Array): TSTInfo {
  const info = decodedFrom(TSTInfo, content)
  const extensions = extensionsOf(info.extensions ?? [])
  if (info.version !== 1 || [...extensions.values()].some(({ critical }) => critical)) {
    throw new MalformedAsn1Error('not a TSTInfo')
  }
  return info
}

function imprintFault(
  { hashAlgorithm, hashedMessage }: MessageImprint,
  stamped: SignedContent,
): string | null {
  const digest = digestName(hashAlgorithm.algorithmId)
  if (digest === null) return `unsupported algorithm ${hashAlgorithm.algorithmId}`
  const isSame = sameBytes(octetsOf(hashedMessage), contentDigest(stamped, digest))
  return isSame ? null : 'digest mismatch'
}
