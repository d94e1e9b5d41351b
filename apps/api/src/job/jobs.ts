import { billOverage } from '../billing/bill-overage.ts'
import { sendTokenMail } from '../mail/send-token-mail.ts'
import { mailPasswordReset } from '../session/request-password-reset.ts'
import type { Job } from './job.ts'
import { normalizeSubmissionJob } from './normalize-submission.job.ts'
import type { QueueName } from './queues.ts'

export function jobOf<Name extends QueueName>(queue: Name): Job<Name> {
  return { queue, run: jobs[queue] }
}

/** What is done with the jobs of each queue (queues.ts). */
const jobs: { readonly [Name in QueueName]: Job<Name>['run'] } = {
  'normalize-submission': normalizeSubmissionJob.run,
  'request-password-reset': (platform, { email }) => mailPasswordReset(platform, email),
  'bill-overage': billOverage,
  'send-mail': sendTokenMail,
}
