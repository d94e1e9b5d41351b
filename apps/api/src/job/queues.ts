import { IsoDateTime, Uuid } from '@pdfnorm/contracts/schema/identifier'
import { Email } from '@pdfnorm/contracts/schema/member'
import type { PlanTier } from '@pdfnorm/contracts/schema/plan'
import { z } from 'zod'
import { DataNotice } from '../data-protection/mail-notice.ts'
import { RequestedMail } from '../session/request-mail.ts'

/** What a queue promises: the shape of its jobs and what happens when one of them fails. */
export interface QueueDefinition {
  payload: z.ZodObject
  /** Tries after the first; also those after a worker died in the middle. */
  retryLimit: number
  /** Delay before the first retry, in seconds; doubled for each further one. */
  retryDelaySeconds: number
  /** The delay is not doubled beyond this, in seconds. */
  retryDelayMaxSeconds?: number
  /** A job without a sign of life for so long is taken from its worker. At least 10. */
  heartbeatSeconds: number
  /** Longest time that one job may run, in seconds. */
  expireInSeconds: number
  /** Jobs that one process runs at once; `workers`: as many as it has workers for documents. */
  concurrencyPerProcess: number | 'workers'
  /** Jobs of one organization that may run at once, by plan, over all processes. */
  concurrencyPerOrganization: Record<PlanTier, number> | null
  /** How long a job that has ended is kept, in seconds, where its payload should not lie about. */
  forgottenAfterSeconds?: number
  /**
   * When a job without a payload becomes due, in UTC: five fields of cron. All processes together send it once, run
   * one at a time, and make up for what was missed by one run (recurring-jobs.ts).
   */
  cron?: string
}

const WebhookEventJob = z.object({ organizationId: Uuid, eventId: Uuid })

/** Over two hours in all: a mail server that is restarted or greylists (RFC 6647) is waited for. */
const mailing = {
  retryLimit: 8,
  retryDelaySeconds: 30,
  heartbeatSeconds: 20,
  expireInSeconds: 120,
} as const

/** Retries are for workers that die: that a receiver fails is an attempt of the event and no fault of the job. */
const delivery = {
  payload: WebhookEventJob,
  retryLimit: 1_000_000,
  retryDelaySeconds: 5,
  retryDelayMaxSeconds: 300,
  heartbeatSeconds: 30,
  expireInSeconds: 120,
  // There is one job for each attempt, and the event knows more.
  forgottenAfterSeconds: 3600,
} as const

/** Over ten days in all: what is pending is not given up because the storage is away. */
const dataProtection = {
  retryLimit: 1000,
  retryDelaySeconds: 30,
  retryDelayMaxSeconds: 900,
  heartbeatSeconds: 30,
  // Less than an archive may be claimed for (artifact/stored-object.ts).
  expireInSeconds: 12 * 3600,
} as const

/** Every queue of the service; jobs.ts has what is done with its jobs. */
export const queues = {
  'normalize-submission': {
    payload: z.object({ organizationId: Uuid, submissionId: Uuid }),
    // The submission counts the tries of its document and ends by itself: its job never gives it up.
    retryLimit: 1_000_000,
    retryDelaySeconds: 1,
    retryDelayMaxSeconds: 30,
    heartbeatSeconds: 20,
    expireInSeconds: 600,
    concurrencyPerProcess: 'workers',
    // A job is sent when its organization has a slot for it (submission/call-waiting.ts).
    concurrencyPerOrganization: null,
  },
  'announce-batch': {
    payload: z.object({ organizationId: Uuid, batchId: Uuid, total: z.int().positive() }),
    retryLimit: 20,
    retryDelaySeconds: 1,
    retryDelayMaxSeconds: 60,
    heartbeatSeconds: 20,
    expireInSeconds: 60,
    concurrencyPerProcess: 2,
    concurrencyPerOrganization: null,
  },
  'request-mail': {
    payload: z.object({ purpose: RequestedMail, email: Email }),
    retryLimit: 5,
    retryDelaySeconds: 2,
    heartbeatSeconds: 20,
    expireInSeconds: 60,
    concurrencyPerProcess: 1,
    concurrencyPerOrganization: null,
    // Its payload is an address, perhaps of somebody who never was here.
    forgottenAfterSeconds: 60,
  },
  'bill-overage': {
    payload: z.object({ organizationId: Uuid, cycleStartsAt: IsoDateTime }),
    // Within a day: so long Stripe remembers a charge that it has taken.
    retryLimit: 8,
    retryDelaySeconds: 120,
    heartbeatSeconds: 20,
    expireInSeconds: 120,
    concurrencyPerProcess: 1,
    concurrencyPerOrganization: null,
  },
  'cancel-subscription': {
    payload: z.object({ organizationId: Uuid }),
    // Over four days in all: nobody goes on paying because the processor was away.
    retryLimit: 12,
    retryDelaySeconds: 90,
    heartbeatSeconds: 20,
    expireInSeconds: 120,
    concurrencyPerProcess: 1,
    concurrencyPerOrganization: null,
  },
  'clear-expired': {
    payload: z.object({}),
    cron: '23 * * * *',
    retryLimit: 2,
    retryDelaySeconds: 60,
    heartbeatSeconds: 20,
    expireInSeconds: 1800,
    concurrencyPerProcess: 1,
    concurrencyPerOrganization: null,
  },
  'extend-retention': {
    payload: z.object({ organizationId: Uuid }),
    retryLimit: 5,
    retryDelaySeconds: 30,
    heartbeatSeconds: 20,
    expireInSeconds: 3600,
    concurrencyPerProcess: 1,
    concurrencyPerOrganization: null,
  },
  'remove-expired': {
    payload: z.object({}),
    cron: '*/5 * * * *',
    retryLimit: 2,
    retryDelaySeconds: 60,
    heartbeatSeconds: 20,
    expireInSeconds: 3600,
    concurrencyPerProcess: 1,
    concurrencyPerOrganization: null,
  },
  'send-mail': {
    payload: z.object({ organizationId: Uuid, seed: z.string() }),
    ...mailing,
    concurrencyPerProcess: 2,
    concurrencyPerOrganization: null,
  },
  'deliver-webhook': {
    ...delivery,
    // A job mostly waits for its receiver.
    concurrencyPerProcess: 200,
    // Its groups are receivers (webhook/delivery-queue.ts).
    concurrencyPerOrganization: { free: 4, starter: 4, growth: 4, pro: 4 },
  },
  'deliver-to-troubled-webhook': {
    ...delivery,
    concurrencyPerProcess: 100,
    concurrencyPerOrganization: { free: 2, starter: 2, growth: 2, pro: 2 },
  },
  'mail-webhook-deactivated': {
    payload: z.object({
      organizationId: Uuid,
      webhookId: Uuid,
      gone: z.boolean(),
      memberId: Uuid.nullable(),
      mailId: Uuid,
    }),
    ...mailing,
    concurrencyPerProcess: 1,
    concurrencyPerOrganization: null,
  },
  'tidy-webhook-events': {
    payload: z.object({}),
    cron: '41 * * * *',
    retryLimit: 2,
    retryDelaySeconds: 60,
    heartbeatSeconds: 20,
    expireInSeconds: 1800,
    concurrencyPerProcess: 1,
    concurrencyPerOrganization: null,
  },
  'build-data-export': {
    payload: z.object({ organizationId: Uuid, exportId: Uuid }),
    ...dataProtection,
    concurrencyPerProcess: 2,
    concurrencyPerOrganization: null,
  },
  'erase-content': {
    payload: z.object({ organizationId: Uuid }),
    ...dataProtection,
    concurrencyPerProcess: 2,
    concurrencyPerOrganization: null,
  },
  'delete-account': {
    payload: z.object({
      organizationId: Uuid,
      schemaName: z.string(),
      requestedAt: IsoDateTime,
    }),
    ...dataProtection,
    concurrencyPerProcess: 1,
    concurrencyPerOrganization: null,
    // Nothing of an organization stays, not even its id.
    forgottenAfterSeconds: 60,
  },
  'mail-data-notice': {
    payload: z.object({ organizationId: Uuid, notice: DataNotice, id: Uuid }),
    ...mailing,
    concurrencyPerProcess: 1,
    concurrencyPerOrganization: null,
  },
} as const satisfies Record<string, QueueDefinition>

export type QueueName = keyof typeof queues
export type JobPayload<Name extends QueueName> = z.infer<(typeof queues)[Name]['payload']>
export const queueNames = Object.keys(queues) as QueueName[]

export function definitionOf(name: QueueName): QueueDefinition {
  return queues[name]
}

/** @throws z.ZodError for a job of another shape, say of a version that is not deployed any more */
export function parsePayload<Name extends QueueName>(name: Name, data: unknown): JobPayload<Name> {
  return queues[name].payload.parse(data) as JobPayload<Name>
}
