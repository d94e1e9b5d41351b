import { outputHash } from '@pdfnorm/contracts/schema/identifier'
import type { WebhookEvent } from '@pdfnorm/contracts/schema/webhook-event'
import type { Customer } from '../customer.ts'
import type { Database } from '../database.ts'
import type { Receiver } from '../receiver.ts'
import type { SubmissionRow } from './records.ts'

interface EventRow {
  id: string
  organizationId: string
  url: string
  status: 'pending' | 'delivered' | 'dead'
  submissionId: string | null
}

export interface EventFigures {
  losses: string[]
  delivered: number
  moreThanOnce: number
  dead: number
}

const eventOf = {
  SUCCESS: 'normalization.success',
  FAILED: 'normalization.failure',
  REJECTED: 'normalization.rejected',
} as const

/** Every end that somebody listens to was announced to them once, and arrived or is a dead letter. */
export async function eventLosses(
  database: Database,
  receiver: Receiver,
  customers: readonly Customer[],
  rows: ReadonlyMap<string, SubmissionRow>,
): Promise<EventFigures> {
  const events = await database.query<EventRow>(
    `select id, organization_id as "organizationId", url, status,
            payload::json->'data'->>'submissionId' as "submissionId"
     from webhook_event`,
  )
  const announced = new Map<string, number>()
  for (const { url, submissionId } of events) {
    if (submissionId === null) continue
    const name = `${submissionId} to ${url}`
    announced.set(name, (announced.get(name) ?? 0) + 1)
  }
  const due = new Set([...rows.values()].flatMap((row) => listenersOf(row, receiver, customers)))
  return {
    losses: [
      ...receiver.complaints,
      ...[...due].filter((name) => !announced.has(name)).map((name) => `nobody announced ${name}`),
      ...[...announced].flatMap(([name, times]) => {
        if (!due.has(name)) return [`nobody listened, and yet there is an event for ${name}`]
        return times > 1 ? [`${name} was announced ${times} times`] : []
      }),
      ...events.flatMap((event) => deliveryLoss(event, receiver)),
      ...[...receiver.events.values()].flatMap(({ id, body }) => contentLoss(id, body, rows)),
    ],
    delivered: receiver.events.size,
    moreThanOnce: [...receiver.events.values()].filter(({ times }) => times > 1).length,
    dead: events.filter(({ status }) => status === 'dead').length,
  }
}

/** Decision 4.3: the configured webhook hears of what was asynchronous, the address of a request of that request. */
function listenersOf(
  { id, organizationId, asynchronous, webhookUrl }: SubmissionRow,
  { url }: Receiver,
  customers: readonly Customer[],
): string[] {
  const customer = customers.find((customer) => customer.id === organizationId)
  return [
    ...(asynchronous && customer ? [`${id} to ${url}${customer.webhookPath}`] : []),
    ...(webhookUrl === null ? [] : [`${id} to ${webhookUrl}`]),
  ]
}

function deliveryLoss({ id, status, url }: EventRow, { events }: Receiver): string[] {
  if (status === 'pending') return [`the event ${id} to ${url} is still on its way`]
  // An acknowledgement may be lost, so a dead letter may have arrived too.
  if (status === 'delivered' && !events.has(id)) return [`the event ${id} never came to ${url}`]
  return []
}

function contentLoss(
  eventId: string,
  body: WebhookEvent,
  rows: ReadonlyMap<string, SubmissionRow>,
): string[] {
  if (body.event === 'batch.complete' || body.event === 'webhook.test') return []
  const row = rows.get(body.data.submissionId)
  if (row === undefined) return [`the event ${eventId} tells of an unknown submission`]
  const hash = row.outputSha256 === null ? null : outputHash(row.outputSha256)
  const holds =
    body.data.status === row.status &&
    body.data.outputHash === hash &&
    row.status in eventOf &&
    body.event === eventOf[row.status as keyof typeof eventOf]
  return holds ? [] : [`the event ${eventId} tells otherwise of ${row.id} than its record`]
}
