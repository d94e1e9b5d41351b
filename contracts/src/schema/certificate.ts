import { z } from 'zod'
import { IsoDateTime, OutputHash, Sha256Hex, Uuid } from './identifier.ts'

/** Decision 5.3. */
export const CertificateHeader = z
  .object({
    alg: z.literal('ES256'),
    kid: z.string(),
    typ: z.literal('normalization-certificate+jwt'),
  })
  .meta({ id: 'CertificateHeader', description: 'The protected header of a certificate.' })
export type CertificateHeader = z.infer<typeof CertificateHeader>

/** The claims of a certificate (decision 5.3). It does not expire. */
export const CertificateClaims = z
  .object({
    iss: z.string().meta({ description: "The service's own address." }),
    sub: OutputHash,
    jti: Uuid.meta({ description: 'The id of the attestation with the same facts.' }),
    iat: z.int().nonnegative().meta({ description: 'Seconds since 1970 (RFC 7519, 4.1.6).' }),
    originalSha256: Sha256Hex,
    normalizedSha256: Sha256Hex,
    originalSizeBytes: z.int().nonnegative(),
    normalizedSizeBytes: z.int().nonnegative(),
    contentHash: Sha256Hex.nullable(),
    processedAt: IsoDateTime,
    pipelineVersion: z.string(),
  })
  .meta({ id: 'CertificateClaims', description: 'The payload of the JWS.' })
export type CertificateClaims = z.infer<typeof CertificateClaims>

/**
 * A certificate: JWS compact serialization (RFC 7515, 7.1), three base64url parts. `contentSchema` says what the
 * first two hold, as JSON Schema Validation, 8.5 shows it for a JWT.
 */
export const Certificate = z
  .string()
  .regex(/^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/)
  .meta({
    id: 'Certificate',
    description:
      'A certificate: a JWS in compact serialization. `contentSchema` says what its first two parts hold.',
    contentMediaType: 'application/jwt',
    contentSchema: {
      type: 'array',
      prefixItems: [
        { $ref: '#/components/schemas/CertificateHeader' },
        { $ref: '#/components/schemas/CertificateClaims' },
      ],
    },
    examples: ['eyJhbGciOiJFUzI1NiJ9.eyJqdGkiOiIuLi4ifQ.MEUCIQ'],
  })
export type Certificate = z.infer<typeof Certificate>
