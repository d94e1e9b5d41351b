import type { PageQuery } from '@pdfnorm/contracts/schema/page'
import type { SubmissionStatus } from '@pdfnorm/contracts/schema/submission'
import type { CallingOrganization } from '../caller.ts'
import { withOrganization } from '../database/transaction.ts'
import { DocumentUsageEntity } from '../plan/quota.ts'
import type { Platform } from '../platform.ts'
import { type Submission, SubmissionEntity } from './submission.ts'

/**
 * A page of the organization's submissions, newest first.
 *
 * @param status null: all
 * @returns `total`: those of all pages
 */
export async function listSubmissions(
  { orm }: Pick<Platform, 'orm'>,
  { id: organizationId }: Pick<CallingOrganization, 'id'>,
  status: SubmissionStatus | null,
  { page, page_size: pageSize }: PageQuery,
): Promise<{ submissions: Submission[]; total: number }> {
  const newestFirst = { createdAt: 'desc', id: 'desc' } as const
  const where = { organizationId, ...(status !== null && { status }) }
  return withOrganization(orm, organizationId, async (em) => {
    const ofPage = await em.find(SubmissionEntity, where, {
      fields: ['id'],
      orderBy: newestFirst,
      limit: pageSize,
      offset: (page - 1) * pageSize,
    })
    const ids = ofPage.map(({ id }) => id)
    const submissions = await em.findAll(SubmissionEntity, {
      where: { id: { $in: ids } },
      orderBy: newestFirst,
      refresh: true,
    })
    if (status === null) {
      // The ledger has counted them all: to count them again would read each.
      const ledger = await em.findAll(DocumentUsageEntity, { where: { organizationId } })
      const total = ledger.reduce((sum, cycle) => sum + cycle.submissions, 0)
      return { submissions, total }
    }
    return { submissions, total: await em.count(SubmissionEntity, where) }
  })
}
