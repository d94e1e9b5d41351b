import type { Attestation } from '@pdfnorm/contracts/schema/attestation'
import type { CertificateClaims, CertificateHeader } from '@pdfnorm/contracts/schema/certificate'
import { CompactSign } from 'jose'
import type { SigningKey } from './signing-key.ts'

/**
 * The attestation's facts as a JWS (RFC 7515, compact; decision 5.3). It has no `exp`: what happened stays true.
 *
 * @param issuer the service's own address
 */
export function issueCertificate(
  attestation: Attestation,
  issuer: string,
  { kid, privateKey }: SigningKey,
): Promise<string> {
  const header: CertificateHeader = { alg: 'ES256', kid, typ: 'normalization-certificate+jwt' }
  const claims = certificateClaims(attestation, issuer)
  return new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
    .setProtectedHeader({ ...header })
    .sign(privateKey)
}

function certificateClaims(
  { attestationId, issuedAt, subject, processing }: Attestation,
  issuer: string,
): CertificateClaims {
  return {
    iss: issuer,
    sub: `sha256:${subject.normalizedSha256}`,
    jti: attestationId,
    // RFC 7519, section 2: a NumericDate counts seconds.
    iat: Math.floor(Date.parse(issuedAt) / 1000),
    originalSha256: subject.originalSha256,
    normalizedSha256: subject.normalizedSha256,
    originalSizeBytes: subject.originalSizeBytes,
    normalizedSizeBytes: subject.normalizedSizeBytes,
    contentHash: subject.contentHash,
    processedAt: issuedAt,
    pipelineVersion: processing.pipelineSpec,
  }
}
