import type { MigrationObject } from '@mikro-orm/core'
import { Accounts } from './0001-accounts.ts'
import { Submissions } from './0002-submissions.ts'
import { People } from './0003-people.ts'
import { Billing } from './0004-billing.ts'
import { ApiKeyRotation } from './0005-api-key-rotation.ts'
import { Statistics } from './0005-statistics.ts'
import { Overage } from './0006-overage.ts'
import { AccountUpkeep } from './0007-account-upkeep.ts'
import { IdempotencyExpiry } from './0007-idempotency-expiry.ts'
import { Batches } from './0008-batches.ts'
import { WaitingSubmissions } from './0008-waiting-submissions.ts'
import { WebhookRetries } from './0009-webhook-retries.ts'
import { Webhooks } from './0009-webhooks.ts'
import { StoredObjects } from './0010-stored-objects.ts'
import { DataProtection } from './0011-data-protection.ts'
import { RecurringJobs } from './0012-recurring-jobs.ts'
import { Distribution } from './0013-distribution.ts'

/** Every migration in the order it is applied. A name that was released never changes. */
export const migrations: MigrationObject[] = [
  { name: '0001-accounts', class: Accounts },
  { name: '0002-submissions', class: Submissions },
  { name: '0003-people', class: People },
  { name: '0004-billing', class: Billing },
  { name: '0005-statistics', class: Statistics },
  { name: '0005-api-key-rotation', class: ApiKeyRotation },
  { name: '0006-overage', class: Overage },
  { name: '0007-account-upkeep', class: AccountUpkeep },
  { name: '0007-idempotency-expiry', class: IdempotencyExpiry },
  { name: '0008-batches', class: Batches },
  { name: '0008-waiting-submissions', class: WaitingSubmissions },
  { name: '0009-webhooks', class: Webhooks },
  { name: '0009-webhook-retries', class: WebhookRetries },
  { name: '0010-stored-objects', class: StoredObjects },
  { name: '0012-recurring-jobs', class: RecurringJobs },
  { name: '0011-data-protection', class: DataProtection },
  { name: '0013-distribution', class: Distribution },
]
