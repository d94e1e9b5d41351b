import type { EntityManager } from '@mikro-orm/postgresql'
import type { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { Report } from '@pdfnorm/contracts/schema/report'
import { ArtifactReferenceEntity } from '../artifact/artifact.ts'
import { expired, refuseUnreferenced } from '../artifact/open-artifact.ts'
import type { Caller } from '../caller.ts'
import { withOrganization } from '../database/transaction.ts'
import type { Platform } from '../platform.ts'
import { ReportEntity } from './report.ts'

/**
 * The report of the organization's most recent submission with this output (decision 2.12).
 *
 * @param outputSha256 64 lower-case hexadecimal digits
 */
export async function findReport(
  { orm, clock }: Pick<Platform, 'orm' | 'clock'>,
  { organization }: Caller,
  outputSha256: string,
): Promise<Report | Refusal<'NOT_FOUND' | 'EXPIRED' | 'FORBIDDEN_RESOURCE'>> {
  return withOrganization(orm, organization.id, async (em) => {
    const [found] = await em.find(
      ReportEntity,
      { organizationId: organization.id, outputSha256 },
      { orderBy: { completedAt: 'desc', submissionId: 'desc' }, limit: 1 },
    )
    if (found === undefined) return refuseUnreported(em, organization.id, outputSha256, clock.now())
    if (found.expiresAt <= clock.now()) return expired(found.expiresAt)
    return found.document
  })
}

/** A report that expired is gone; that there was one, the reference to its file tells. */
async function refuseUnreported(
  em: EntityManager,
  organizationId: string,
  outputSha256: string,
  now: Date,
): Promise<Refusal<'NOT_FOUND' | 'EXPIRED' | 'FORBIDDEN_RESOURCE'>> {
  const [reference] = await em.find(
    ArtifactReferenceEntity,
    { organizationId, sha256: outputSha256 },
    { orderBy: { expiresAt: 'desc' }, limit: 1 },
  )
  if (reference !== undefined && reference.expiresAt <= now) return expired(reference.expiresAt)
  return refuseUnreferenced(em, outputSha256)
}
