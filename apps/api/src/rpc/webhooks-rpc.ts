import { webhooks } from '@pdfnorm/contracts/endpoint/webhooks'
import { currentApiVersion } from '@pdfnorm/contracts/schema/api-version'
import { DeadLetter } from '@pdfnorm/contracts/schema/dead-letter'
import { Uuid } from '@pdfnorm/contracts/schema/identifier'
import { PageQuery } from '@pdfnorm/contracts/schema/page'
import {
  ChangeWebhookRequest,
  CreatedWebhook,
  CreateWebhookRequest,
  DefaultWebhookSecret,
  DeletedWebhook,
  QueuedEvent,
  RotatedDefaultWebhookSecret,
  RotatedWebhookSecret,
  WebhookConfiguration,
} from '@pdfnorm/contracts/schema/webhook-endpoint'
import { WebhookDelivery } from '@pdfnorm/contracts/schema/webhook-event'
import { z } from 'zod'
import { changeWebhook } from '../webhook/change-webhook.ts'
import { createWebhook } from '../webhook/create-webhook.ts'
import { findDefaultSecret, rotateDefaultSecret } from '../webhook/default-secret.ts'
import { deleteWebhook } from '../webhook/delete-webhook.ts'
import { listDeadLetters } from '../webhook/list-dead-letters.ts'
import { listDeliveries } from '../webhook/list-deliveries.ts'
import { listWebhooks } from '../webhook/list-webhooks.ts'
import { replayDeadLetter } from '../webhook/replay-dead-letter.ts'
import { rotateWebhookSecret } from '../webhook/rotate-webhook-secret.ts'
import { testWebhook } from '../webhook/test-webhook.ts'
import { accepted, router, twinOf } from './rpc.ts'

const Id = z.object({ id: Uuid })

/** A page as an app wants it: with the number of all entries, which the endpoints tell in a header. */
const total = z.int().nonnegative()

/** The twin of the contract's group `webhooks`. */
export const webhooksRpc = router({
  list: twinOf(webhooks.listWebhooks)
    .output(z.array(WebhookConfiguration))
    .query(({ ctx }) => listWebhooks(ctx.platform, ctx.caller)),

  create: twinOf(webhooks.createWebhook)
    .input(CreateWebhookRequest)
    .output(CreatedWebhook)
    .mutation(async ({ ctx, input }) =>
      accepted(await createWebhook(ctx.platform, ctx.caller, input)),
    ),

  change: twinOf(webhooks.changeWebhook)
    .input(ChangeWebhookRequest.extend({ id: Uuid }))
    .output(WebhookConfiguration)
    .mutation(async ({ ctx, input }) =>
      accepted(await changeWebhook(ctx.platform, ctx.caller, input.id, input)),
    ),

  delete: twinOf(webhooks.deleteWebhook)
    .input(Id)
    .output(DeletedWebhook)
    .mutation(async ({ ctx, input }) =>
      accepted(await deleteWebhook(ctx.platform, ctx.caller, input.id)),
    ),

  listDeadLetters: twinOf(webhooks.listDeadLetters)
    .input(PageQuery)
    .output(z.object({ deadLetters: z.array(DeadLetter), total }))
    .query(({ ctx, input }) => listDeadLetters(ctx.platform, ctx.caller, input)),

  replayDeadLetter: twinOf(webhooks.replayDeadLetter)
    .input(z.object({ eventId: Uuid }))
    .output(QueuedEvent)
    .mutation(async ({ ctx, input }) =>
      accepted(await replayDeadLetter(ctx.platform, ctx.caller, input.eventId)),
    ),

  test: twinOf(webhooks.testWebhook)
    .input(Id)
    .output(QueuedEvent)
    .mutation(async ({ ctx, input }) =>
      accepted(await testWebhook(ctx.platform, ctx.caller, input.id, currentApiVersion)),
    ),

  rotateSecret: twinOf(webhooks.rotateWebhookSecret)
    .input(Id)
    .output(RotatedWebhookSecret)
    .mutation(async ({ ctx, input }) =>
      accepted(await rotateWebhookSecret(ctx.platform, ctx.caller, input.id)),
    ),

  listDeliveries: twinOf(webhooks.listWebhookDeliveries)
    .input(PageQuery.extend({ id: Uuid }))
    .output(z.object({ deliveries: z.array(WebhookDelivery), total }))
    .query(async ({ ctx, input }) =>
      accepted(await listDeliveries(ctx.platform, ctx.caller, input.id, input)),
    ),

  defaultSecret: twinOf(webhooks.getDefaultWebhookSecret)
    .output(DefaultWebhookSecret)
    .query(({ ctx }) => findDefaultSecret(ctx.platform, ctx.caller)),

  rotateDefaultSecret: twinOf(webhooks.rotateDefaultWebhookSecret)
    .output(RotatedDefaultWebhookSecret)
    .mutation(async ({ ctx }) => accepted(await rotateDefaultSecret(ctx.platform, ctx.caller))),
})
