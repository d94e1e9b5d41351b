import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { Config } from './config.ts'

/** Why nothing would be delivered to an address that somebody gives; null when there is no reason. */
export function webhookUrlRefusal(
  { environment }: Pick<Config, 'environment'>,
  url: string,
): Refusal<'WEBHOOK_URL_FORBIDDEN'> | null {
  if (environment !== 'production' || new URL(url).protocol === 'https:') return null
  return new Refusal('WEBHOOK_URL_FORBIDDEN', 'Webhooks are delivered over HTTPS only')
}
