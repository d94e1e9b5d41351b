import {
  type Attestation,
  type CertificateClaims,
  type KeySet,
  PdfnormError,
  publishedKeys,
  VerificationError,
  verifyAttestation,
  verifyCertificate,
  type VerifyOptions,
} from '@pdfnorm/sdk/verify'
import { ProblemError } from '../problem/problem-error.ts'

/** One after the other: where one fails, those after it are not tried. */
export const checks = ['form', 'key', 'signature', 'file'] as const
export type Check = (typeof checks)[number]

/** What a certificate or an attestation says, once its signature holds. */
export interface ProvenFacts {
  kind: 'certificate' | 'attestation'
  issuer: string
  keyId: string
  signedAt: string
  id: string
  originalSha256: string
  originalSizeBytes: number
  normalizedSha256: string
  normalizedSizeBytes: number
}

export interface Verdict {
  /** null: all of them passed. */
  failed: { check: Check; reason: string; advice: string } | null
  /** null: nothing that it says can be believed. */
  facts: ProvenFacts | null
}

/**
 * Checks a certificate or an attestation, and that it is about this file, with the keys that the service publishes.
 * The keys are all that is asked for, and nothing is sent.
 *
 * @param origin of the service, as `https://pdfnorm.example`
 * @throws ProblemError when the keys cannot be had, or the file cannot be read
 */
export async function verifyProof(proof: string, pdf: File, origin: string): Promise<Verdict> {
  const asked: AskedKey = { id: null, keySet: null }
  const published = publishedKeys(origin)
  const keys = async (id: string) => {
    asked.id = id
    asked.keySet = await published(id)
    return asked.keySet
  }
  try {
    const facts = await provenFacts(proof, { keys }, asked)
    return { failed: await compare(proof, pdf, facts, keys, asked), facts }
  } catch (error) {
    if (error instanceof VerificationError) return { failed: refutation(error, asked), facts: null }
    throw error instanceof PdfnormError ? withoutKeys(error) : unreadable(error)
  }
}

/** The key that a proof named, and what the service publishes: how far the verification came. */
interface AskedKey {
  id: string | null
  keySet: KeySet | null
}

async function provenFacts(
  proof: string,
  options: VerifyOptions,
  asked: AskedKey,
): Promise<ProvenFacts> {
  return proof.trim().startsWith('{')
    ? factsOfAttestation(await verifyAttestation(proof, options))
    : factsOfCertificate(await verifyCertificate(proof, options), asked.id ?? '')
}

function factsOfAttestation({ attestationId, issuedAt, issuer, subject }: Attestation) {
  return {
    ...subject,
    kind: 'attestation',
    issuer: issuer.url,
    keyId: issuer.publicKeyId,
    signedAt: issuedAt,
    id: attestationId,
  } as const satisfies ProvenFacts
}

function factsOfCertificate({ iss, jti, iat, ...claims }: CertificateClaims, keyId: string) {
  return {
    ...claims,
    kind: 'certificate',
    issuer: iss,
    keyId,
    signedAt: new Date(iat * 1000).toISOString(),
    id: jti,
  } as const satisfies ProvenFacts
}

function refutation({ message }: VerificationError, { id, keySet }: AskedKey): Verdict['failed'] {
  if (id === null) {
    return {
      check: 'form',
      reason: message,
      advice:
        'Take the file as it was downloaded, as a whole: copying a part of it or a line break within it is enough to break it.',
    }
  }
  if (keySet?.keys.some(({ kid }) => kid === id) !== true) {
    return {
      check: 'key',
      reason: `It names the key ${id}, which this service never had.`,
      advice:
        'Either another service signed it, whose own page can check it, or it is a forgery. This service cannot tell which.',
    }
  }
  return {
    check: 'signature',
    reason: message,
    advice:
      'It was changed after it was signed, or never signed by this service. Do not rely on it; ask for it again where it came from.',
  }
}

async function compare(
  proof: string,
  pdf: File,
  facts: ProvenFacts,
  keys: VerifyOptions['keys'],
  asked: AskedKey,
): Promise<Verdict['failed']> {
  try {
    await provenFacts(proof, { keys, pdf }, asked)
    return null
  } catch (error) {
    if (!(error instanceof VerificationError)) throw error
    const isOriginal = (await sha256Of(pdf)) === facts.originalSha256
    return {
      check: 'file',
      reason: isOriginal
        ? `${pdf.name} is the original, from which the certified file was made.`
        : error.message,
      advice: isOriginal
        ? 'Choose the normalized file to check it. That this original became it, the signature says already.'
        : 'Either the PDF was changed since, if only by saving it again, or the two do not belong together.',
    }
  }
}

async function sha256Of(file: File): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function withoutKeys(cause: PdfnormError): ProblemError {
  return new ProblemError(
    'The published keys could not be fetched, so nothing is said about the certificate. Check the connection to the network, then try again.',
    { cause },
  )
}

function unreadable(cause: unknown): ProblemError {
  return new ProblemError('The file could not be read to its end. Choose it again.', { cause })
}
