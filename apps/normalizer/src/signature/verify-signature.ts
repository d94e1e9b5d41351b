import { GeneralizedTime, UTCTime } from 'asn1js'
import { PdfName, PdfString } from '../pdf/object.ts'
import { parsePdfDate } from '../pdf/metadata/pdf-date.ts'
import type { PdfFile } from '../pdf/pdf-file.ts'
import type { SignatureValue } from '../pdf/form/signature-field.ts'
import { decodeTextString } from '../pdf/text-string.ts'
import { MalformedAsn1Error, octetsOf, parseAsn1, sameBytes } from './asn1.ts'
import { rangeFault, signedParts, signedRange, type SignedRange } from './byte-range.ts'
import { type Certificate, parseCertificate } from './certificate.ts'
import { attributeValue, parseSignedData, type SignedData, signedDataOf } from './cms.ts'
import { checkSignature } from './signature-value.ts'
import { checkSigner, contentDigest, reasonOf, type SignedContent } from './signer-check.ts'
import { checkTimestamp, type TimestampCheck } from './timestamp-token.ts'

/** One signature, looked at on its own. */
export interface VerifiedSignature {
  readonly fieldName: string
  readonly range: SignedRange | null
  /** Why it does not hold; null when it does. */
  readonly reason: string | null
  readonly certificate: Certificate | null
  readonly weakAlgorithm: string | null
  readonly isDocumentTimestamp: boolean
  /** The token inside it or, for a document time-stamp, itself; null without one, `faulty` if it is none. */
  readonly timestamp: TimestampCheck | 'faulty' | null
  /** What the signature says itself, without a time-stamp. */
  readonly statedTime: Date | null
}

/** Verifies one signature value: structure, coverage, digest and signature (trust, 2.3). Trust is not looked at. */
export function verifySignature(file: PdfFile, value: SignatureValue): VerifiedSignature {
  const range = signedRange(file, value.dictionary)
  const content = { parts: range ? signedParts(file, range) : [] }
  const found = withinStructure(() => valueCheck(file, value, content))
  const rangeReason = range ? rangeFault(file, value, range) : 'byte range invalid'
  return {
    fieldName: value.fieldName,
    range,
    ...found,
    reason: rangeReason ?? found.reason,
    isDocumentTimestamp: subFilter(file, value) === 'ETSI.RFC3161',
    statedTime: found.statedTime ?? modificationTime(file, value),
  }
}

type ValueCheck = Pick<
  VerifiedSignature,
  'reason' | 'certificate' | 'weakAlgorithm' | 'timestamp' | 'statedTime'
>

const nothing = { certificate: null, weakAlgorithm: null, timestamp: null, statedTime: null }

function withinStructure(check: () => ValueCheck): ValueCheck {
  try {
    return check()
  } catch (error) {
    if (error instanceof MalformedAsn1Error) return { ...nothing, reason: 'cms malformed' }
    throw error
  }
}

function valueCheck(file: PdfFile, value: SignatureValue, content: SignedContent): ValueCheck {
  const contents = file.graph.resolve(value.dictionary.get('Contents'))
  const bytes = contents instanceof PdfString ? contents.bytes : new Uint8Array()
  switch (subFilter(file, value)) {
    case 'adbe.x509.rsa_sha1':
      return checkPkcs1(file, value, bytes, content)
    case 'ETSI.RFC3161':
      return checkDocumentTimestamp(parseSignedData(bytes), content)
    case 'adbe.pkcs7.sha1':
      return checkEnveloped(parseSignedData(bytes), content)
    default:
      return checkDetached(parseSignedData(bytes), content)
  }
}

function subFilter(file: PdfFile, { dictionary }: SignatureValue): string | null {
  const name = file.graph.resolve(dictionary.get('SubFilter'))
  return name instanceof PdfName ? name.value : null
}

/** ISO 32000-2, 12.8.3.3 and 12.8.3.4: the file's bytes are the detached content. */
function checkDetached(data: SignedData, content: SignedContent): ValueCheck {
  // Content inside would be signed in place of the file.
  if (data.content && data.content.length > 0)
    return { ...signedFacts(data), reason: 'cms malformed' }
  return { ...signedFacts(data), ...checkSigner(data, content) }
}

/** 12.8.3.3: the content inside is the SHA-1 digest of the file's bytes. */
function checkEnveloped(data: SignedData, content: SignedContent): ValueCheck {
  const inside = data.content ?? new Uint8Array()
  const check = { ...signedFacts(data), ...checkSigner(data, { parts: [inside] }) }
  const matches = sameBytes(inside, contentDigest(content, 'sha1'))
  return { ...check, weakAlgorithm: 'sha1', reason: matches ? check.reason : 'digest mismatch' }
}

/** 12.8.5. */
function checkDocumentTimestamp(data: SignedData, content: SignedContent): ValueCheck {
  const timestamp = checkTimestamp(data, content)
  const { reason, certificate, weakAlgorithm } = timestamp
  return { reason, certificate, weakAlgorithm, timestamp, statedTime: timestamp.genTime }
}

/** 12.8.3.2: a bare PKCS #1 value in an octet string; the certificate stands in the dictionary. */
function checkPkcs1(
  file: PdfFile,
  value: SignatureValue,
  bytes: Uint8Array,
  content: SignedContent,
): ValueCheck {
  const entry = file.graph.resolve(value.dictionary.get('Cert'))
  const first = Array.isArray(entry) ? file.graph.resolve(entry[0]) : entry
  const certificate = first instanceof PdfString ? parseCertificate(first.bytes) : null
  const found = { ...nothing, certificate, weakAlgorithm: 'sha1' }
  if (!certificate?.publicKey) return { ...found, reason: 'no signer certificate' }
  const signature = octetsOf(parseAsn1(bytes).value)
  const check = checkSignature(
    certificate.publicKey,
    { oid: sha1WithRsa, parameters: null },
    sha1,
    Buffer.concat(content.parts),
    signature,
  )
  return { ...found, reason: reasonOf(check) }
}

const sha1 = '1.3.14.3.2.26'
const sha1WithRsa = '1.2.840.113549.1.1.5'
const signingTime = '1.2.840.113549.1.9.5'
const signatureTimestamp = '1.2.840.113549.1.9.16.2.14'

function signedFacts(data: SignedData): Pick<ValueCheck, keyof typeof nothing> {
  return { ...nothing, timestamp: embeddedTimestamp(data), statedTime: signingTimeOf(data) }
}

/** RFC 3161, appendix A: a token over the signature value. */
function embeddedTimestamp({ signer }: SignedData): TimestampCheck | 'faulty' | null {
  const token = attributeValue(signer.unsignedAttributes, signatureTimestamp)
  if (!token) return null
  try {
    return checkTimestamp(signedDataOf(token), { parts: [signer.signature] })
  } catch (error) {
    if (error instanceof MalformedAsn1Error) return 'faulty'
    throw error
  }
}

function signingTimeOf({ signer }: SignedData): Date | null {
  const value = attributeValue(signer.signedAttributes?.values, signingTime)
  const isTime = value instanceof UTCTime || value instanceof GeneralizedTime
  const moment = isTime ? value.toDate() : null
  return moment && !Number.isNaN(moment.getTime()) ? moment : null
}

function modificationTime(file: PdfFile, { dictionary }: SignatureValue): Date | null {
  const date = file.graph.resolve(dictionary.get('M'))
  return date instanceof PdfString ? parsePdfDate(decodeTextString(date)) : null
}
