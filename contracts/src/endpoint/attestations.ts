import { z } from 'zod'
import { Attestation, VerificationResult } from '../schema/attestation.ts'
import { Certificate } from '../schema/certificate.ts'
import { Sha256Param } from '../schema/identifier.ts'
import { KeySet } from '../schema/key-set.ts'
import { refusals } from '../schema/problem.ts'
import type { EndpointMetadata } from './endpoint-metadata.ts'
import { apiKeyRefusals, publicRefusals } from './endpoint-refusals.ts'
import { rest, strict } from './rest.ts'

const NormalizedPath = z.object({
  normalizedSha256: Sha256Param.meta({ description: 'SHA-256 of the normalized file.' }),
})

const readsByHash = {
  auth: 'api-key',
  scopes: ['read'],
  rateLimit: 'read',
  faults: { 'path.normalizedSha256': 'INVALID_SHA256' },
} as const satisfies EndpointMetadata

const published = {
  auth: 'none',
  rateLimit: 'public',
  responseHeaders: { 200: ['Cache-Control'] },
} as const satisfies EndpointMetadata

/** Interface, section 4.5; decisions, section 5. */
export const attestations = rest.router(
  {
    getKeySet: {
      method: 'GET',
      path: '/.well-known/attestation-keys.json',
      summary: 'Read the public keys',
      description: 'Every key that ever signed, as a JWK set. Retired keys stay.',
      metadata: published,
      responses: { 200: KeySet, ...refusals(...publicRefusals) },
    },

    getSigningKeyPem: {
      method: 'GET',
      path: '/.well-known/pdfnorm-signing-key.pem',
      summary: 'Read the current public key as PEM',
      description: 'The ECDSA P-256 key that signs now, for tools that do not read JWK sets.',
      metadata: published,
      responses: {
        200: rest.otherResponse({
          contentType: 'application/x-pem-file',
          body: z
            .string()
            .startsWith('-----BEGIN PUBLIC KEY-----\n')
            .meta({
              examples: ['-----BEGIN PUBLIC KEY-----\n…\n-----END PUBLIC KEY-----\n'],
            }),
        }),
        ...refusals(...publicRefusals),
      },
    },

    getAttestation: {
      method: 'GET',
      path: '/api/attestations/:normalizedSha256',
      summary: 'Read the attestation of a normalized file',
      description:
        'A signed JSON-LD document: which original became which file, by what, and what was found. The ' +
        "signature is over the document without `signature` as canonical JSON (RFC 8785). It is the organization's own.",
      metadata: readsByHash,
      pathParams: NormalizedPath,
      responses: {
        200: rest.otherResponse({ contentType: 'application/ld+json', body: Attestation }),
        ...refusals(...apiKeyRefusals, 'INVALID_SHA256', 'NOT_FOUND'),
      },
    },

    verifyAttestation: {
      method: 'GET',
      path: '/api/verify/:normalizedSha256',
      summary: 'Verify an attestation',
      description:
        "Checks the stored attestation's signature, and that the stored file still has the hash.",
      metadata: readsByHash,
      pathParams: NormalizedPath,
      responses: {
        200: VerificationResult,
        ...refusals(...apiKeyRefusals, 'INVALID_SHA256', 'NOT_FOUND'),
      },
    },

    getCertificate: {
      method: 'GET',
      path: '/api/certificates/:normalizedSha256',
      summary: 'Read the certificate of a normalized file',
      description:
        'The facts of the attestation as a JWS in compact serialization, ES256. Its claims are CertificateClaims.',
      metadata: readsByHash,
      pathParams: NormalizedPath,
      responses: {
        200: rest.otherResponse({ contentType: 'application/jose+json', body: Certificate }),
        ...refusals(...apiKeyRefusals, 'INVALID_SHA256', 'NOT_FOUND'),
      },
    },
  },
  strict,
)
