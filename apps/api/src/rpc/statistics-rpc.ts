import { Statistics } from '@pdfnorm/contracts/schema/statistics'
import { organizationStatistics } from '../statistics/organization-statistics.ts'
import { router, signedIn } from './rpc.ts'

/** The twin of the contract's group `statistics`. */
export const statisticsRpc = router({
  get: signedIn
    .output(Statistics)
    .query(({ ctx }) => organizationStatistics(ctx.platform, ctx.caller)),
})
