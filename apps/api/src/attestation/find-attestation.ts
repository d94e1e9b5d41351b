import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { Caller } from '../caller.ts'
import { withOrganization } from '../database/transaction.ts'
import type { Platform } from '../platform.ts'
import { AttestationEntity, type AttestationRow } from './attestation.ts'

/**
 * The organization's attestation, with its certificate, of the file with this hash.
 *
 * @param normalizedSha256 64 lower-case hexadecimal digits
 */
export async function findAttestation(
  { orm }: Pick<Platform, 'orm'>,
  { organization }: Caller,
  normalizedSha256: string,
): Promise<AttestationRow | Refusal<'NOT_FOUND'>> {
  const found = await withOrganization(orm, organization.id, (em) =>
    em.findOne(AttestationEntity, { organizationId: organization.id, normalizedSha256 }),
  )
  return (
    found ??
    new Refusal(
      'NOT_FOUND',
      `The organization has no normalized file with the hash ${normalizedSha256}`,
    )
  )
}
