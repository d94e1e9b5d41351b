import { constants, type KeyObject, publicDecrypt } from 'node:crypto'
import { DigestInfo } from 'pkijs'
import { PdfName, PdfString } from '../pdf/object.ts'
import { parsePdfDate } from '../pdf/metadata/pdf-date.ts'
import type { PdfFile } from '../pdf/pdf-file.ts'
import type { SignatureValue } from '../pdf/form/signature-field.ts'
import { decodeTextString } from '../pdf/text-string.ts'
import { digestName, isWeakDigest } from './algorithm.ts'
import { decodedFrom, octetsOf } from './asn1.ts'
import { rangeFault, signedParts, signedRange, type SignedRange } from './byte-range.ts'
import type { Certificate } from './certificate.ts'
import { attributeValue, parsePadded, parseSignedData, type SignedData } from './cms.ts'
import { eachValue } from './encoded-value.ts'
import { sameBytes, unlessMalformed } from './malformed.ts'
import { checkSignature } from './signature-value.ts'
import { checkSigner, contentDigest, reasonOf, type SignedContent } from './signer-check.ts'
import { timeOf } from './time.ts'
import { checkTimestamp, isGoodTimestamp, type TimestampCheck } from './timestamp-token.ts'
import type { ValidationMaterial } from './validation-material.ts'

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
  /** The signature and the tokens in it, for what they bring to judge certificates by. */
  readonly structures: readonly SignedData[]
}

/** Verifies one signature value: structure, coverage, digest and signature (trust, 2.3). Trust is not looked at. */
export function verifySignature(
  file: PdfFile,
  value: SignatureValue,
  material: ValidationMaterial,
): VerifiedSignature {
  const range = signedRange(file, value.dictionary)
  const content = { parts: range ? signedParts(file, range) : [] }
  const malformed = { ...nothing, reason: 'cms malformed' }
  const found = unlessMalformed(() => checkValue(file, value, content, material)) ?? malformed
  const rangeReason = range ? rangeFault(file, value, range) : 'byte range invalid'
  const isDocumentTimestamp = subFilter(file, value) === 'ETSI.RFC3161'
  const isFaultyStamp = isDocumentTimestamp && (rangeReason !== null || found.timestamp === null)
  return {
    fieldName: value.fieldName,
    range,
    ...found,
    reason: rangeReason ?? found.reason,
    isDocumentTimestamp,
    timestamp: isFaultyStamp ? 'faulty' : found.timestamp,
    statedTime: found.statedTime ?? modificationTime(file, value),
  }
}

type ValueCheck = Pick<
  VerifiedSignature,
  'reason' | 'certificate' | 'weakAlgorithm' | 'timestamp' | 'statedTime' | 'structures'
>

const nothing = {
  certificate: null,
  weakAlgorithm: null,
  timestamp: null,
  statedTime: null,
  structures: [],
}

function checkValue(
  file: PdfFile,
  value: SignatureValue,
  content: SignedContent,
  material: ValidationMaterial,
): ValueCheck {
  const contents = file.graph.resolve(value.dictionary.get('Contents'))
  const bytes = contents instanceof PdfString ? contents.bytes : new Uint8Array()
  switch (subFilter(file, value)) {
    case 'adbe.x509.rsa_sha1':
      return checkPkcs1(dictionaryCertificates(file, value), material, bytes, content)
    case 'ETSI.RFC3161':
      return checkDocumentTimestamp(parseSignedData(bytes, material.budget), content, material)
    default: {
      for (const encoding of dictionaryCertificates(file, value)) material.certificate(encoding)
      const data = parseSignedData(bytes, material.budget)
      const check = isEnveloping(file, value) ? checkEnveloped : checkDetached
      return { ...signedFacts(data, material), ...check(data, content, material) }
    }
  }
}

function subFilter(file: PdfFile, { dictionary }: SignatureValue): string | null {
  const name = file.graph.resolve(dictionary.get('SubFilter'))
  return name instanceof PdfName ? name.value : null
}

function isEnveloping(file: PdfFile, value: SignatureValue): boolean {
  return subFilter(file, value) === 'adbe.pkcs7.sha1'
}

type SignerFacts = Pick<ValueCheck, 'reason' | 'certificate' | 'weakAlgorithm'>

/** ISO 32000-2, 12.8.3.3 and 12.8.3.4: the file's bytes are the detached content. */
function checkDetached(
  data: SignedData,
  content: SignedContent,
  material: ValidationMaterial,
): SignerFacts {
  const check = checkSigner(data, content, material)
  // Content inside would be signed in place of the file.
  return data.content && data.content.length > 0 ? { ...check, reason: 'cms malformed' } : check
}

/** 12.8.3.3: the content inside is the SHA-1 digest of the file's bytes. */
function checkEnveloped(
  data: SignedData,
  content: SignedContent,
  material: ValidationMaterial,
): SignerFacts {
  const inside = data.content ?? new Uint8Array()
  const check = checkSigner(data, { parts: [inside] }, material)
  const matches = sameBytes(inside, contentDigest(content, 'sha1'))
  return { ...check, weakAlgorithm: 'sha1', reason: matches ? check.reason : 'digest mismatch' }
}

/** 12.8.5. */
function checkDocumentTimestamp(
  data: SignedData,
  content: SignedContent,
  material: ValidationMaterial,
): ValueCheck {
  const timestamp = checkTimestamp(data, content, material)
  const { reason, certificate, weakAlgorithm, genTime } = timestamp
  const structures = [data]
  return { reason, certificate, weakAlgorithm, timestamp, statedTime: genTime, structures }
}

/** `/Cert` (table 255): one certificate, or an array of which the first is the signer's. */
function dictionaryCertificates(file: PdfFile, { dictionary }: SignatureValue): Uint8Array[] {
  const entry = file.graph.resolve(dictionary.get('Cert'))
  const items = Array.isArray(entry) ? entry.map((item) => file.graph.resolve(item)) : [entry]
  return items.filter((item) => item instanceof PdfString).map(({ bytes }) => bytes)
}

/** 12.8.3.2: a bare PKCS #1 value in an octet string; the certificates stand in the dictionary. */
function checkPkcs1(
  encodings: readonly Uint8Array[],
  material: ValidationMaterial,
  bytes: Uint8Array,
  content: SignedContent,
): ValueCheck {
  const [certificate = null] = encodings.map((encoding) => material.certificate(encoding))
  const found = { ...nothing, certificate }
  if (!certificate?.publicKey) return { ...found, reason: 'no signer certificate' }
  const signature = octetsOf(parsePadded(bytes, material.budget))
  const digestOid = pkcs1Digest(certificate.publicKey, signature)
  if (digestOid === null) return { ...found, reason: 'signature value does not verify' }
  const check = checkSignature(
    certificate.publicKey,
    { oid: rsaEncryption, parameters: null },
    digestOid,
    content.parts,
    signature,
  )
  const digest = digestName(digestOid)
  const weakAlgorithm = digest !== null && isWeakDigest(digest) ? digest : null
  return { ...found, weakAlgorithm, reason: reasonOf(check) }
}

/**
 * The hash function that a PKCS #1 value names (RFC 8017, 9.2): whatever the sub-filter is called, it need not be SHA-1
 * (ISO 32000-1, table 257).
 */
function pkcs1Digest(key: KeyObject, signature: Uint8Array): string | null {
  try {
    const info = publicDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, signature)
    return decodedFrom(DigestInfo, info).digestAlgorithm.algorithmId
  } catch {
    // Another key, or none of RSA.
    return null
  }
}

const rsaEncryption = '1.2.840.113549.1.1.1'
const signingTime = '1.2.840.113549.1.9.5'
const signatureTimestamp = '1.2.840.113549.1.9.16.2.14'

function signedFacts(
  data: SignedData,
  material: ValidationMaterial,
): Pick<ValueCheck, 'timestamp' | 'statedTime' | 'structures'> {
  const stamps = embeddedTimestamps(data, material)
  const checks = stamps.map((stamp) => (stamp === 'faulty' ? stamp : stamp.check))
  return {
    timestamp: checks.find(isGoodTimestamp) ?? checks[0] ?? null,
    statedTime: signingTimeOf(data),
    structures: [data, ...stamps.flatMap((stamp) => (stamp === 'faulty' ? [] : [stamp.token]))],
  }
}

/** Tokens that one signature may have; a second one comes from an authority that others trust. */
const maxTimestamps = 8

/** RFC 3161, appendix A: tokens over the signature value. */
function embeddedTimestamps(
  { signer }: SignedData,
  material: ValidationMaterial,
): ({ token: SignedData; check: TimestampCheck } | 'faulty')[] {
  const tokens = signer.unsignedAttributes.get(signatureTimestamp) ?? []
  return tokens.slice(0, maxTimestamps).map((value) => {
    const found = unlessMalformed(() => {
      const token = parseSignedData(value, material.budget)
      return { token, check: checkTimestamp(token, { parts: [signer.signature] }, material) }
    })
    return found ?? 'faulty'
  })
}

function signingTimeOf({ signer }: SignedData): Date | null {
  const value = attributeValue(signer.signedAttributes?.values, signingTime)
  return unlessMalformed(() => {
    for (const { tag, content } of eachValue(value ?? new Uint8Array())) return timeOf(tag, content)
    return null
  })
}

function modificationTime(file: PdfFile, { dictionary }: SignatureValue): Date | null {
  const date = file.graph.resolve(dictionary.get('M'))
  return date instanceof PdfString ? parsePdfDate(decodeTextString(date)) : null
}
