import { TSTInfo } from 'pkijs'
import { digestName } from './algorithm.ts'
import { MalformedAsn1Error, parseAsn1, sameBytes } from './asn1.ts'
import type { Certificate } from './certificate.ts'
import type { SignedData } from './cms.ts'
import { checkSigner, contentDigest, type SignedContent } from './signer-check.ts'

/** What a time-stamp token (RFC 3161) says and whether it holds. */
export interface TimestampCheck {
  readonly reason: string | null
  readonly certificate: Certificate | null
  readonly weakAlgorithm: string | null
  readonly genTime: Date
  /** Its signer is meant for time-stamping: extended key usage timeStamping (2.3). */
  readonly byAuthority: boolean
}

const tstInfoType = '1.2.840.113549.1.9.16.1.4'
const timeStamping = '1.3.6.1.5.5.7.3.8'

/**
 * Verifies a token over what it stamps.
 *
 * @throws {MalformedAsn1Error} when it is no time-stamp token
 */
export function checkTimestamp(token: SignedData, stamped: SignedContent): TimestampCheck {
  const { content } = token
  if (token.contentType !== tstInfoType || !content) {
    throw new MalformedAsn1Error('not a time-stamp token')
  }
  const info = tstInfo(content)
  const signer = checkSigner(token, { parts: [content] })
  const { certificate, weakAlgorithm } = signer
  return {
    reason: signer.reason ?? imprintFault(info, stamped),
    certificate,
    weakAlgorithm,
    genTime: info.genTime,
    byAuthority: certificate?.extendedKeyUsage?.includes(timeStamping) ?? false,
  }
}

function tstInfo(content: Uint8Array): TSTInfo {
  const { value } = parseAsn1(content)
  try {
    return new TSTInfo({ schema: value })
  } catch {
    throw new MalformedAsn1Error('not a TSTInfo')
  }
}

function imprintFault({ messageImprint }: TSTInfo, stamped: SignedContent): string | null {
  const { algorithmId } = messageImprint.hashAlgorithm
  const digest = digestName(algorithmId)
  if (digest === null) return `unsupported algorithm ${algorithmId}`
  const stated = new Uint8Array(messageImprint.hashedMessage.getValue())
  return sameBytes(stated, contentDigest(stamped, digest)) ? null : 'digest mismatch'
}
