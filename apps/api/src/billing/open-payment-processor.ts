import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { SecretsKey } from '../secrets-key.ts'
import type { PaymentProcessor } from './payment-processor.ts'
import { openStripe } from './stripe-processor.ts'
import { openTestProcessor } from './test-processor.ts'

/** Stripe with its key; without one a test page in development and nothing in production. */
export function openPaymentProcessor(
  config: Config,
  clock: Clock,
  secretsKey: SecretsKey,
): PaymentProcessor | null {
  const { stripeSecretKey: secretKey, stripeWebhookSecret: webhookSecret } = config
  if (secretKey !== undefined && webhookSecret !== undefined) {
    return openStripe({ secretKey, webhookSecret })
  }
  return config.environment === 'production' ? null : openTestProcessor(config, clock, secretsKey)
}
