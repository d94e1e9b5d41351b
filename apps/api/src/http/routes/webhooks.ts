import { webhooks } from '@pdfnorm/contracts/endpoint/webhooks'
import { limits } from '@pdfnorm/contracts/schema/limit'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import { changeWebhook } from '../../webhook/change-webhook.ts'
import { createWebhook } from '../../webhook/create-webhook.ts'
import { findDefaultSecret, rotateDefaultSecret } from '../../webhook/default-secret.ts'
import { deleteWebhook } from '../../webhook/delete-webhook.ts'
import { listDeadLetters } from '../../webhook/list-dead-letters.ts'
import { listDeliveries } from '../../webhook/list-deliveries.ts'
import { listWebhooks } from '../../webhook/list-webhooks.ts'
import { replayDeadLetter } from '../../webhook/replay-dead-letter.ts'
import { rotateWebhookSecret } from '../../webhook/rotate-webhook-secret.ts'
import { testWebhook } from '../../webhook/test-webhook.ts'
import { routes } from '../mount.ts'
import { setPageHeaders } from '../page-headers.ts'
import { refuse } from '../problem-response.ts'
import { contextOf, memberCallerOf } from '../request-context.ts'

export const webhookRoutes = routes(webhooks, (platform) => ({
  listWebhooks: async ({ req }) => ({
    status: 200,
    body: await listWebhooks(platform, memberCallerOf(req)),
  }),

  createWebhook: async ({ body, req, res }) => {
    const created = await createWebhook(platform, memberCallerOf(req), body)
    if (created instanceof Refusal) return refuse(platform.config, { req, res }, created)
    return { status: 201, body: created }
  },

  changeWebhook: async ({ params, body, req, res }) => {
    const changed = await changeWebhook(platform, memberCallerOf(req), params.id, body)
    if (changed instanceof Refusal) return refuse(platform.config, { req, res }, changed)
    return { status: 200, body: changed }
  },

  deleteWebhook: async ({ params, req, res }) => {
    const deleted = await deleteWebhook(platform, memberCallerOf(req), params.id)
    if (deleted instanceof Refusal) return refuse(platform.config, { req, res }, deleted)
    return { status: 200, body: deleted }
  },

  listDeadLetters: async ({ query, req, res }) => {
    const page = { page: query.page, page_size: limits.deadLettersPerPage }
    const { deadLetters, total } = await listDeadLetters(platform, memberCallerOf(req), page)
    setPageHeaders(platform.config, { req, res }, page, total)
    return { status: 200, body: deadLetters }
  },

  replayDeadLetter: async ({ params, req, res }) => {
    const replayed = await replayDeadLetter(platform, memberCallerOf(req), params.eventId)
    if (replayed instanceof Refusal) return refuse(platform.config, { req, res }, replayed)
    return { status: 200, body: replayed }
  },

  testWebhook: async ({ params, req, res }) => {
    const { apiVersion } = contextOf(req)
    const queued = await testWebhook(platform, memberCallerOf(req), params.id, apiVersion)
    if (queued instanceof Refusal) return refuse(platform.config, { req, res }, queued)
    return { status: 202, body: queued }
  },

  rotateWebhookSecret: async ({ params, req, res }) => {
    const rotated = await rotateWebhookSecret(platform, memberCallerOf(req), params.id)
    if (rotated instanceof Refusal) return refuse(platform.config, { req, res }, rotated)
    return { status: 200, body: rotated }
  },

  listWebhookDeliveries: async ({ params, query, req, res }) => {
    const listed = await listDeliveries(platform, memberCallerOf(req), params.id, query)
    if (listed instanceof Refusal) return refuse(platform.config, { req, res }, listed)
    setPageHeaders(platform.config, { req, res }, query, listed.total)
    const { page, page_size } = query
    return { status: 200, body: { items: listed.deliveries, page, page_size } }
  },

  getDefaultWebhookSecret: async ({ req }) => ({
    status: 200,
    body: await findDefaultSecret(platform, memberCallerOf(req)),
  }),

  rotateDefaultWebhookSecret: async ({ req, res }) => {
    const rotated = await rotateDefaultSecret(platform, memberCallerOf(req))
    if (rotated instanceof Refusal) return refuse(platform.config, { req, res }, rotated)
    return { status: 200, body: rotated }
  },
}))
