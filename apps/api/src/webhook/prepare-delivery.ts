import { readInOrganization, withOrganization } from '../database/transaction.ts'
import type { Platform } from '../platform.ts'
import { endWithout } from './end-event.ts'
import type { WebhookEvent } from './webhook-event.ts'
import { defaultSecrets, unsealSecret } from './webhook-secret.ts'

/** The part of an event that an attempt takes. */
export type DeliveredEvent = Pick<
  WebhookEvent,
  'id' | 'organizationId' | 'webhookId' | 'configured' | 'event' | 'payload' | 'sends' | 'attempts'
>

export interface PreparedDelivery {
  readonly event: DeliveredEvent
  /** Where the webhook is now: an address that was corrected gets what was waiting, too. */
  readonly url: string
  /** What signs, the newest first. */
  readonly secrets: readonly string[]
}

type PreparingPlatform = Pick<Platform, 'orm' | 'clock' | 'secretsKey'>

/**
 * Looks up what the next attempt of an event takes. An event whose webhook is deleted or not active any more ends here
 * as a dead letter, and its last attempt says why nothing was sent.
 *
 * @returns null when there is nothing to send
 */
export async function prepareDelivery(
  platform: PreparingPlatform,
  organizationId: string,
  eventId: string,
): Promise<PreparedDelivery | null> {
  const [found] = await readInOrganization<FoundDelivery>(platform.orm, organizationId, {
    sql: selectDelivery,
    parameters: [platform.clock.now(), organizationId, eventId],
  })
  if (found === undefined) return null

  const { url, webhookUrl, webhookActive, askedFor, sealedSecrets, ...event } = found
  const isOff = webhookUrl !== null && !webhookActive && !askedFor
  if (event.configured && (webhookUrl === null || isOff)) {
    const why = isOff ? 'The webhook is not active' : 'The webhook was deleted'
    await withOrganization(platform.orm, organizationId, (em) =>
      endWithout(em, event, `${why}: nothing was sent.`, platform.clock.now()),
    )
    return null
  }
  const secrets = sealedSecrets
    ? sealedSecrets.map(({ id, sealed }) =>
        unsealSecret(platform, { id, sealedSecret: Buffer.from(sealed, 'base64') }),
      )
    : await withOrganization(platform.orm, organizationId, (em) =>
        defaultSecrets(platform, em, organizationId),
      )
  return { event, url: event.configured && webhookUrl !== null ? webhookUrl : url, secrets }
}

interface FoundDelivery extends DeliveredEvent {
  readonly url: string
  readonly askedFor: boolean
  /** Of the configured webhook; null: there is none. */
  readonly webhookUrl: string | null
  readonly webhookActive: boolean | null
  /** In base64, the newest first; null: there is none yet. */
  readonly sealedSecrets: readonly { readonly id: string; readonly sealed: string }[] | null
}

/** Decision 4.4: an address that is also a configured webhook's is signed with that webhook's secret. */
const selectDelivery = `
  select e.id, e.organization_id as "organizationId", e.webhook_id as "webhookId", e.configured, e.event, e.payload,
    e.sends, e.attempts, e.url, e.asked_for as "askedFor", w.url as "webhookUrl", w.active as "webhookActive",
    (select json_agg(
        json_build_object('id', s.id, 'sealed', encode(s.sealed_secret, 'base64'))
        order by s.valid_until desc nulls first, s.created_at desc)
      from webhook_secret s
      where s.organization_id = e.organization_id and s.signer_id = coalesce(w.id, e.organization_id)
        and (s.valid_until is null or s.valid_until > ?)) as "sealedSecrets"
  from webhook_event e
  left join lateral (
    select * from webhook
    where organization_id = e.organization_id
      and case when e.configured then id = e.webhook_id else url = e.url end
    order by active desc, created_at, id limit 1
  ) w on true
  where e.organization_id = ? and e.id = ? and e.status = 'pending'`
