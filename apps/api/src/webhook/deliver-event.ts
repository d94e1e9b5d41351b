import { limits } from '@pdfnorm/contracts/schema/limit'
import type { DeliveryAttempt } from '@pdfnorm/contracts/schema/webhook-event'
import { currentActivity } from '../activity.ts'
import { type OutgoingAnswer, sendOutgoing } from '../outgoing/outgoing-request.ts'
import type { Platform } from '../platform.ts'
import { type DeliveredEvent, prepareDelivery } from './prepare-delivery.ts'
import { receiverPolicy } from './receiver-policy.ts'
import { recordAttempt } from './record-attempt.ts'
import { signatureHeaders } from './sign-payload.ts'

/**
 * Makes one attempt to deliver an event, unless it has ended by now. What came of it is written down afterwards: a
 * process that dies between leads to a second attempt, never to none (decision 4.8).
 *
 * @param signal aborted when the process will not wait any longer
 * @throws at the signal; the job goes back to the queue
 */
export async function deliverEvent(
  platform: Pick<Platform, 'orm' | 'clock' | 'config' | 'log' | 'metrics' | 'queue' | 'secretsKey'>,
  { organizationId, eventId }: { organizationId: string; eventId: string },
  { signal }: { signal: AbortSignal },
): Promise<void> {
  const { clock, log, metrics } = platform
  const prepared = await prepareDelivery(platform, organizationId, eventId)
  if (prepared === null) return

  const { event, url, secrets } = prepared
  const at = clock.now()
  const payload = Buffer.from(event.payload)
  const { requestId } = currentActivity()
  const answer = await sendOutgoing(
    {
      url,
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'pdfnorm-webhooks/1',
        ...signatureHeaders({ eventId, payload, at, secrets }),
        // That of the upload: with it the receiver can ask about the whole way of the document.
        ...(requestId !== undefined && { 'X-Request-Id': requestId }),
      },
      body: payload,
      timeoutMs: limits.webhookTimeoutSeconds * 1000,
      signal,
    },
    receiverPolicy(platform.config),
  )
  if (answer.kind === 'failed') signal.throwIfAborted()

  const attempt = attemptOf(answer, at)
  const made = { event, url, attempt, wait: waitAskedFor(answer) }
  const outcome = await recordAttempt(platform, organizationId, made)
  metrics.webhookDeliveries.inc({ result: outcome })
  log.info({ ...namesOf(event), outcome, ...attempt }, 'an event was sent to a webhook')
}

function attemptOf(answer: OutgoingAnswer, at: Date): DeliveryAttempt {
  const known = { at: at.toISOString(), durationMs: answer.durationMs }
  if (answer.kind === 'failed') {
    return { ...known, statusCode: null, error: `${answer.error.code}: ${answer.error.text}` }
  }
  const { statusCode } = answer
  return { ...known, statusCode, error: errorOf(statusCode) }
}

function errorOf(statusCode: number): string | null {
  if (statusCode >= 200 && statusCode < 300) return null
  if (statusCode >= 300 && statusCode < 400) {
    return `The receiver answered ${statusCode}: redirects are not followed.`
  }
  if (statusCode === 410) return 'The receiver answered 410: it wants no more events.'
  return `The receiver answered ${statusCode}.`
}

/** In seconds; null: the receiver asked for nothing. */
function waitAskedFor(answer: OutgoingAnswer): number | null {
  return answer.kind === 'answered' ? answer.retryAfterSeconds : null
}

/** What a log may say of an event: an address can hold secrets of its receiver. */
function namesOf({ id, organizationId, webhookId, event }: DeliveredEvent) {
  return { eventId: id, organizationId, webhookId, event }
}
