import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import type { Attestation } from '@pdfnorm/contracts/schema/attestation'
import canonicalize from 'canonicalize'

/**
 * An organization's attestation of one normalized file (decision 5.2), with the certificate that carries the same
 * facts. Both are kept as they were signed: they verify for ever, whatever key signs today.
 */
export const AttestationEntity = defineEntity({
  name: 'Attestation',
  tableName: 'attestation',
  properties: {
    organizationId: p.uuid().primary(),
    normalizedSha256: p.text().primary(),
    attestationId: p.uuid(),
    issuedAt: p.datetime(3),
    document: p.json<Attestation>(),
    /** JWS compact serialization. */
    certificate: p.text(),
  },
})
export type AttestationRow = InferEntity<typeof AttestationEntity>

/** What the signature is over: the document without `signature` as RFC 8785 canonical JSON, in UTF-8. */
export function signedBytes(document: Omit<Attestation, 'signature'>): Uint8Array {
  const { signature: _, ...unsigned } = { signature: undefined, ...document }
  const canonical = canonicalize(unsigned)
  if (canonical === undefined) throw new Error('The attestation has no canonical form')
  return new TextEncoder().encode(canonical)
}
