import type { Config } from '../config.ts'
import type { OutgoingPolicy } from '../outgoing/outgoing-policy.ts'

/** Where webhooks may be delivered (decision 4.7). */
export function receiverPolicy({
  environment,
  webhookAllowPrivate,
}: Pick<Config, 'environment' | 'webhookAllowPrivate'>): OutgoingPolicy {
  return { allowPrivate: webhookAllowPrivate, httpsOnly: environment === 'production' }
}
