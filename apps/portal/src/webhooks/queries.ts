import type { DeadLetter } from '@pdfnorm/contracts/schema/dead-letter'
import type { WebhookConfiguration } from '@pdfnorm/contracts/schema/webhook-endpoint'
import type { WebhookDelivery } from '@pdfnorm/contracts/schema/webhook-event'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { queryClient } from '../session/query-client.ts'
import { rpc } from '../session/rpc.ts'

export const eventsPerPage = 25

/** How often is asked what became of events, in milliseconds: while one is just being sent, and otherwise. */
const soonMs = 1000
const laterMs = 15_000

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks', 'list'],
  queryFn: ({ signal }): Promise<WebhookConfiguration[]> =>
    rpc.webhooks.list.query(undefined, { signal }),
  refetchInterval: laterMs,
})

export function deliveriesQuery({ id, page }: { id: string; page: number }) {
  return queryOptions({
    queryKey: ['webhooks', 'deliveries', id, page],
    queryFn: ({ signal }) =>
      rpc.webhooks.listDeliveries.query({ id, page, page_size: eventsPerPage }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 5000,
    refetchInterval: ({ state }) =>
      state.data?.deliveries.some(isBeingSent) === true ? soonMs : laterMs,
  })
}

export function deadLettersQuery({ page }: { page: number }) {
  return queryOptions({
    queryKey: ['webhooks', 'dead', page],
    queryFn: ({ signal }): Promise<{ deadLetters: DeadLetter[]; total: number }> =>
      rpc.webhooks.listDeadLetters.query({ page, page_size: eventsPerPage }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 5000,
    refetchInterval: laterMs,
  })
}

/** Asked for when somebody wants to see it, and forgotten with the page. */
export const defaultSecretQuery = queryOptions({
  queryKey: ['webhooks', 'default-secret'],
  queryFn: ({ signal }) => rpc.webhooks.defaultSecret.query(undefined, { signal }),
  gcTime: 0,
})

/** After something was done to a webhook or to an event, all that is shown of them is read anew. */
export function readWebhooksAnew(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['webhooks'] })
}

/** Whether an attempt is due; one that waits for its turn is not. */
export function isBeingSent({ status, nextAttemptAt }: WebhookDelivery): boolean {
  return (
    status === 'pending' &&
    (nextAttemptAt === null || new Date(nextAttemptAt).getTime() < Date.now() + soonMs)
  )
}
