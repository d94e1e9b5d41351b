import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { Config } from '../config.ts'
import { refuseOutgoing } from '../outgoing/refuse-outgoing.ts'
import { receiverPolicy } from './receiver-policy.ts'

/** Why nothing would be delivered to an address that somebody gives (decision 4.7); null when there is no reason. */
export async function webhookUrlRefusal(
  config: Pick<Config, 'environment' | 'webhookAllowPrivate'>,
  url: string,
): Promise<Refusal<'WEBHOOK_URL_FORBIDDEN'> | null> {
  const refused = await refuseOutgoing(url, receiverPolicy(config))
  return refused === null ? null : new Refusal('WEBHOOK_URL_FORBIDDEN', refused.text)
}
