import { withOrganization } from '../database/transaction.ts'
import { OrganizationEntity } from '../organization/organization.ts'
import { runNormalization } from '../submission/run-normalization.ts'
import { leaseMs, startRun } from '../submission/submission.ts'
import { job } from './job.ts'

/** The asynchronous entrance to `runNormalization`; for a submission that has ended it does nothing. */
export const normalizeSubmissionJob = job(
  'normalize-submission',
  async (platform, payload, { signal }) => {
    const { organizationId, submissionId } = payload
    const started = await withOrganization(platform.orm, organizationId, async (em) => {
      const organization = await em.findOne(OrganizationEntity, { id: organizationId })
      if (organization === null) return null

      const run = await startRun(em, organization, submissionId, platform.clock.now())
      if (run === 'running') {
        // Not a failure, hence no retry of this job: the run ends in a while, or dies.
        const startAfterSeconds = leaseMs / 1000
        await platform.queue.send(em, 'normalize-submission', payload, organization, {
          startAfterSeconds,
        })
      }
      return typeof run === 'string' ? null : { organization, run }
    })
    if (started === null) return
    await runNormalization(platform, started.organization, started.run, signal)
  },
)
