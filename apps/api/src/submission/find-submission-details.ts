import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { CallingOrganization } from '../caller.ts'
import { withOrganization } from '../database/transaction.ts'
import type { Platform } from '../platform.ts'
import { type Submission, SubmissionEntity } from './submission.ts'

/** The organization's submission with all that is known of it. */
export async function findSubmissionDetails(
  { orm }: Pick<Platform, 'orm'>,
  organization: Pick<CallingOrganization, 'id'>,
  submissionId: string,
): Promise<Submission | Refusal<'NOT_FOUND'>> {
  const found = await withOrganization(orm, organization.id, (em) =>
    em.findOne(SubmissionEntity, { organizationId: organization.id, id: submissionId }),
  )
  return found ?? new Refusal('NOT_FOUND', `There is no submission ${submissionId}`)
}
