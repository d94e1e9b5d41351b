import type { PageQuery } from '@pdfnorm/contracts/schema/page'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import { BatchEntity } from '../batch/batch.ts'
import type { CallingOrganization } from '../caller.ts'
import { withOrganization } from '../database/transaction.ts'
import type { Platform } from '../platform.ts'
import { type Submission, SubmissionEntity } from './submission.ts'

/**
 * A page of the submissions of the organization's batch, newest first.
 *
 * @returns `total`: those of all pages
 */
export async function listBatchSubmissions(
  { orm }: Pick<Platform, 'orm'>,
  organization: Pick<CallingOrganization, 'id'>,
  batchId: string,
  { page, page_size: pageSize }: PageQuery,
): Promise<{ submissions: Submission[]; total: number } | Refusal<'NOT_FOUND'>> {
  const newestFirst = { createdAt: 'desc', id: 'desc' } as const
  return withOrganization(orm, organization.id, async (em) => {
    const batch = await em.findOne(BatchEntity, { id: batchId })
    if (batch === null) return new Refusal('NOT_FOUND', `There is no batch ${batchId}`)

    // The index alone leads to a late page; only its own rows, with all that was found in them, are read.
    const ofPage = await em.find(
      SubmissionEntity,
      { organizationId: organization.id, batchId },
      { fields: ['id'], orderBy: newestFirst, limit: pageSize, offset: (page - 1) * pageSize },
    )
    const ids = ofPage.map(({ id }) => id)
    const submissions = await em.findAll(SubmissionEntity, {
      where: { id: { $in: ids } },
      orderBy: newestFirst,
      refresh: true,
    })
    return { submissions, total: batch.total }
  })
}
