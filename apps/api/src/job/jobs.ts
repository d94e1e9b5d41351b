import { extendRetention } from '../artifact/extend-retention.ts'
import { removeExpired } from '../artifact/remove-expired.ts'
import { announceBatch } from '../batch/announce-batch.ts'
import { billOverage } from '../billing/bill-overage.ts'
import { cancelSubscription } from '../billing/cancel-subscription.ts'
import { buildExport } from '../data-protection/build-export.ts'
import { deleteAccount } from '../data-protection/delete-account.ts'
import { eraseContent } from '../data-protection/erase-content.ts'
import { mailNotice } from '../data-protection/mail-notice.ts'
import { sendTokenMail } from '../mail/send-token-mail.ts'
import { mailToMember } from '../session/request-mail.ts'
import { clearExpired } from '../upkeep/clear-expired.ts'
import { deliverEvent } from '../webhook/deliver-event.ts'
import { mailDeactivatedWebhook } from '../webhook/mail-deactivated-webhook.ts'
import { tidyEvents } from '../webhook/tidy-events.ts'
import type { Job } from './job.ts'
import { normalizeSubmissionJob } from './normalize-submission.job.ts'
import type { QueueName } from './queues.ts'

export function jobOf<Name extends QueueName>(queue: Name): Job<Name> {
  return { queue, run: jobs[queue] }
}

/** What is done with the jobs of each queue (queues.ts). */
const jobs: { readonly [Name in QueueName]: Job<Name>['run'] } = {
  'normalize-submission': normalizeSubmissionJob.run,
  'announce-batch': announceBatch,
  'request-mail': mailToMember,
  'bill-overage': billOverage,
  'cancel-subscription': (platform, { organizationId }) =>
    cancelSubscription(platform, { id: organizationId }),
  'clear-expired': (platform, _payload, { signal }) => clearExpired(platform, signal),
  'extend-retention': (platform, { organizationId }, { signal }) =>
    extendRetention(platform, organizationId, signal),
  'remove-expired': (platform, _payload, { signal }) => removeExpired(platform, signal),
  'send-mail': sendTokenMail,
  'build-data-export': buildExport,
  'erase-content': eraseContent,
  'delete-account': deleteAccount,
  'mail-data-notice': mailNotice,
  'deliver-webhook': deliverEvent,
  'deliver-to-troubled-webhook': deliverEvent,
  'mail-webhook-deactivated': mailDeactivatedWebhook,
  'tidy-webhook-events': (platform, _payload, { signal }) => tidyEvents(platform, signal),
}
