import {
  historyCycles,
  historyDays,
  type UsageHistory,
} from '@pdfnorm/contracts/schema/usage-history'
import type { MemberCaller } from '../caller.ts'
import { withOrganization } from '../database/transaction.ts'
import { DocumentUsageEntity, quotaCycleOf } from '../plan/quota.ts'
import type { Platform } from '../platform.ts'

const dayMs = 24 * 60 * 60 * 1000

/** What the organization submitted in the last cycles of its quota and on the last days. */
export async function usageHistory(
  { orm, clock }: Pick<Platform, 'orm' | 'clock'>,
  { organization }: MemberCaller,
): Promise<UsageHistory> {
  const now = clock.now()
  const { startsAt, endsAt } = quotaCycleOf(organization, now)
  const today = now.toISOString().slice(0, 10)
  const firstDay = new Date(Date.parse(today) - (historyDays - 1) * dayMs)

  const { ledger, days } = await withOrganization(orm, organization.id, async (em) => ({
    ledger: await em.findAll(DocumentUsageEntity, {
      where: { organizationId: organization.id },
      orderBy: { cycleStartsAt: 'desc' },
      limit: historyCycles,
    }),
    days: await em.execute<UsageHistory['days']>(
      `select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as day,
              count(*)::integer as total,
              count(*) filter (where status = 'SUCCESS')::integer as success,
              count(*) filter (where status = 'FAILED')::integer as failed,
              count(*) filter (where status = 'REJECTED')::integer as rejected
       from submission
       where organization_id = ? and created_at >= ?
       group by 1
       order by 1`,
      [organization.id, firstDay],
    ),
  }))

  return {
    cycle: { startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString() },
    cycles: ledger.reverse().map(({ cycleStartsAt, submissions, success, failed, rejected }) => ({
      startsAt: cycleStartsAt.toISOString(),
      total: submissions,
      success,
      failed,
      rejected,
    })),
    days,
  }
}
