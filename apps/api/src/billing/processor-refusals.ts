import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { Platform } from '../platform.ts'
import { isProcessorAway } from './payment-processor.ts'

export function noPayments(): Refusal<'UNAVAILABLE'> {
  return new Refusal(
    'UNAVAILABLE',
    'This service takes no payments: its operator has not set STRIPE_SECRET_KEY.',
    { retryAfterSeconds: operatorRetrySeconds },
  )
}

/** What only an operator changes needs no sooner look. */
const operatorRetrySeconds = 60 * 60

/** What the processor was asked for; a processor that does not answer is a refusal, and any other error a fault. */
export async function askProcessor<Answer>(
  { log }: Pick<Platform, 'log'>,
  ask: () => Promise<Answer>,
): Promise<Answer | Refusal<'UNAVAILABLE'>> {
  try {
    return await ask()
  } catch (error) {
    if (!isProcessorAway(error)) throw error
    log.warn({ err: error }, 'the payment processor does not answer')
    return new Refusal('UNAVAILABLE', 'The payment processor does not answer. Try again.', {
      retryAfterSeconds: 30,
    })
  }
}
