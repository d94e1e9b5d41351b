import { z } from 'zod'
import { IsoDateTime, Sha256Hex, Uuid } from './identifier.ts'

/** The version of the attestation's own schema (interface, section 9). */
export const attestationVersion = '1.0'

export const AttestationFindings = z
  .object({
    healthScore: z
      .int()
      .min(0)
      .max(100)
      .meta({ description: 'How sound the original was; 100 means that nothing was found.' }),
    contentRemoved: z.array(z.string()).meta({ examples: [['javascript', 'open_actions']] }),
    structuralRepairs: z.array(z.string()).meta({ examples: [['xref_rebuilt']] }),
    warningCount: z.int().nonnegative(),
  })
  .meta({ id: 'AttestationFindings', description: 'What was found in the original and put right.' })

/** Interface, section 2.12. */
export const Attestation = z
  .object({
    '@context': z.string(),
    '@type': z.literal('NormalizationAttestation'),
    version: z.string(),
    attestationId: Uuid,
    issuedAt: IsoDateTime,
    issuer: z
      .object({
        name: z.string(),
        url: z.string(),
        publicKeyId: z.string().meta({ description: 'The `kid` of the signing key.' }),
      })
      .meta({
        id: 'AttestationIssuer',
        description: 'Who issued the attestation, and with which key.',
      }),
    subject: z
      .object({
        originalSha256: Sha256Hex,
        originalSizeBytes: z.int().nonnegative(),
        normalizedSha256: Sha256Hex,
        normalizedSizeBytes: z.int().nonnegative(),
        contentHash: Sha256Hex.nullable().meta({
          description: 'SHA-256 of the extracted text; null for a document without text.',
        }),
      })
      .meta({ id: 'AttestationSubject', description: 'Which original became which file.' }),
    processing: z
      .object({
        toolchainVersion: z.string(),
        structuralToolVersion: z.string(),
        pipelineSpec: z.string(),
        containerImageDigest: z.string(),
        processingTimeMs: z.int().nonnegative(),
      })
      .meta({ id: 'AttestationProcessing', description: 'By what the file was made.' }),
    findings: AttestationFindings,
    signature: z
      .object({
        algorithm: z.literal('ECDSA-P256-SHA256'),
        value: z.base64().meta({ description: 'The signature in DER, base64.' }),
        publicKeyCertificate: z.url().meta({ description: 'The address of the key set.' }),
      })
      .meta({
        id: 'AttestationSignature',
        description:
          'The signature over the document without this field, as RFC 8785 canonical JSON.',
      }),
  })
  .meta({
    id: 'Attestation',
    description:
      'That this service made this file out of that one, signed. The signature is over the document without `signature` as RFC 8785 canonical JSON.',
    examples: [
      {
        '@context': 'https://pdfnorm.example/docs/contexts/attestation-v1',
        '@type': 'NormalizationAttestation',
        version: '1.0',
        attestationId: '0199c8a4-8b32-7e44-a1c9-5d6e7f809112',
        issuedAt: '2026-11-01T09:30:00.900Z',
        issuer: {
          name: 'pdfnorm',
          url: 'https://pdfnorm.example',
          publicKeyId: 'oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U',
        },
        subject: {
          originalSha256: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
          originalSizeBytes: 51344,
          normalizedSha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
          normalizedSizeBytes: 48211,
          contentHash: 'fcde2b2edba56bf408601fb721fe9b5c338d10ee429ea04fae5511b68fbf8fb9',
        },
        processing: {
          toolchainVersion: 'node/24.21.0 pdfnorm-text/1',
          structuralToolVersion: 'pdfnorm/2026-11-22',
          pipelineSpec: '2026-11-22',
          containerImageDigest: 'none',
          processingTimeMs: 842,
        },
        findings: {
          healthScore: 77,
          contentRemoved: ['javascript', 'open_actions'],
          structuralRepairs: ['xref_rebuilt'],
          warningCount: 1,
        },
        signature: {
          algorithm: 'ECDSA-P256-SHA256',
          value:
            'MEUCIQDKZokqnCjrRtw0tni+2Gss7eyNAEw2DSzXE1bDlHQDZQIgb8MYEWlzzJzVpkzrMOTB4MJnPdwXkVmNLmzRcG4uXqo=',
          publicKeyCertificate: 'https://pdfnorm.example/.well-known/attestation-keys.json',
        },
      },
    ],
  })
export type Attestation = z.infer<typeof Attestation>

/** Decision 5.5. */
export const VerificationFailure = z
  .enum(['signature_invalid', 'key_unknown', 'artifact_missing', 'hash_mismatch'])
  .meta({ id: 'VerificationFailure', description: 'Why a stored attestation does not hold.' })
export type VerificationFailure = z.infer<typeof VerificationFailure>

export const VerificationResult = z
  .object({
    valid: z.boolean(),
    attestationId: Uuid,
    normalizedSha256: Sha256Hex,
    issuedAt: IsoDateTime,
    reason: VerificationFailure.nullable().meta({ description: 'null when `valid` is true.' }),
  })
  .meta({
    id: 'VerificationResult',
    description: 'Whether an attestation holds.',
    examples: [
      {
        valid: true,
        attestationId: '0199c8a4-8b32-7e44-a1c9-5d6e7f809112',
        normalizedSha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        issuedAt: '2026-11-01T09:30:00.900Z',
        reason: null,
      },
    ],
  })
export type VerificationResult = z.infer<typeof VerificationResult>
