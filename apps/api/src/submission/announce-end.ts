import type { EntityManager } from '@mikro-orm/postgresql'
import type { Platform } from '../platform.ts'
import { announceSubmission } from '../webhook/announce-submission.ts'
import { submissionRecord } from './find-submission.ts'
import type { Submission } from './submission.ts'

/** Tells the webhooks that a submission has ended, in the transaction of `em` that ends it. */
export async function announceEnd(
  em: EntityManager,
  platform: Pick<Platform, 'clock' | 'config' | 'queue'>,
  submission: Submission,
): Promise<void> {
  const { organizationId, asynchronous, webhookUrl = null } = submission
  const record = submissionRecord(submission, platform.config.baseUrl)
  await announceSubmission(em, platform, { organizationId, asynchronous, webhookUrl, record })
}
