import { statistics } from '@pdfnorm/contracts/endpoint/statistics'
import { Statistics } from '@pdfnorm/contracts/schema/statistics'
import { UsageHistory } from '@pdfnorm/contracts/schema/usage-history'
import { organizationStatistics } from '../statistics/organization-statistics.ts'
import { usageHistory } from '../statistics/usage-history.ts'
import { router, twinOf } from './rpc.ts'

/** The twin of the contract's group `statistics`. */
export const statisticsRpc = router({
  get: twinOf(statistics.getStatistics)
    .output(Statistics)
    .query(({ ctx }) => organizationStatistics(ctx.platform, ctx.caller)),

  history: twinOf(statistics.getStatistics)
    .output(UsageHistory)
    .query(({ ctx }) => usageHistory(ctx.platform, ctx.caller)),
})
