import { statistics } from '@pdfnorm/contracts/endpoint/statistics'
import { Statistics } from '@pdfnorm/contracts/schema/statistics'
import { organizationStatistics } from '../statistics/organization-statistics.ts'
import { router, twinOf } from './rpc.ts'

/** The twin of the contract's group `statistics`. */
export const statisticsRpc = router({
  get: twinOf(statistics.getStatistics)
    .output(Statistics)
    .query(({ ctx }) => organizationStatistics(ctx.platform, ctx.caller)),
})
