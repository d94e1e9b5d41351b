import type { EntityManager } from '@mikro-orm/postgresql'
import type { DeliveryAttempt } from '@pdfnorm/contracts/schema/webhook-event'
import { type WebhookEvent, WebhookEventEntity } from './webhook-event.ts'

/** Attempts that an event remembers: ten sequences of six. */
const attemptsKept = 60

/** The attempts of an event with one more; of very many the first and the last are kept. */
export function attemptsWith(
  { attempts }: Pick<WebhookEvent, 'attempts'>,
  attempt: DeliveryAttempt,
): DeliveryAttempt[] {
  const [first, ...others] = [...attempts, attempt]
  return first === undefined ? [] : [first, ...others.slice(1 - attemptsKept)]
}

/**
 * Makes an event a dead letter although nothing was sent; whoever looks at it finds the reason as its last attempt.
 *
 * @returns whether it was still pending, and no attempt was written down meanwhile
 */
export async function endWithout(
  em: EntityManager,
  event: Pick<WebhookEvent, 'id' | 'sends' | 'attempts'>,
  reason: string,
  now: Date,
): Promise<boolean> {
  const attempt = { at: now.toISOString(), statusCode: null, error: reason, durationMs: 0 }
  const ended = await em.nativeUpdate(
    WebhookEventEntity,
    { id: event.id, status: 'pending', sends: event.sends },
    {
      status: 'dead',
      attempts: attemptsWith(event, attempt),
      nextAttemptAt: null,
      endedAt: now,
    },
  )
  return ended > 0
}
