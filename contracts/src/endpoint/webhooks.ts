import { z } from 'zod'
import { DeadLetter, DeadLetterQuery } from '../schema/dead-letter.ts'
import { Uuid } from '../schema/identifier.ts'
import { leastRole } from '../schema/member.ts'
import { PageQuery } from '../schema/page.ts'
import { refusals } from '../schema/problem.ts'
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
} from '../schema/webhook-endpoint.ts'
import { WebhookDeliveryPage } from '../schema/webhook-event.ts'
import type { EndpointMetadata } from './endpoint-metadata.ts'
import { bodyRefusals, changeRefusals, memberRefusals, roleRefusals } from './endpoint-refusals.ts'
import { rest, strict } from './rest.ts'

const WebhookPath = z.object({ id: Uuid })

const changesWebhook = {
  auth: 'bearer',
  role: leastRole.changeWebhooks,
  rateLimit: 'portal',
  faults: { 'path.id': 'NOT_FOUND' },
} as const satisfies EndpointMetadata

/** Interface, section 4.9; decisions 3.7 and section 4. */
export const webhooks = rest.router(
  {
    listWebhooks: {
      method: 'GET',
      path: '/api/portal/webhooks',
      summary: 'List webhooks',
      description: 'Without their secrets.',
      metadata: {
        auth: 'bearer',
        role: leastRole.readWebhooks,
        rateLimit: 'portal',
      } as const satisfies EndpointMetadata,
      responses: { 200: z.array(WebhookConfiguration), ...refusals(...memberRefusals) },
    },

    createWebhook: {
      method: 'POST',
      path: '/api/portal/webhooks',
      summary: 'Create a webhook',
      description:
        'Its address gets an event when an asynchronous submission ends. The answer is the only place where the ' +
        'signing secret is shown. HTTPS is demanded in production.',
      metadata: {
        auth: 'bearer',
        role: leastRole.changeWebhooks,
        rateLimit: 'portal',
        responseHeaders: { 201: ['Cache-Control'] },
      } as const satisfies EndpointMetadata,
      body: CreateWebhookRequest,
      responses: {
        201: CreatedWebhook,
        ...refusals(
          ...changeRefusals,
          ...bodyRefusals,
          'WEBHOOK_LIMIT_REACHED',
          'WEBHOOK_URL_FORBIDDEN',
        ),
      },
    },

    changeWebhook: {
      method: 'PUT',
      path: '/api/portal/webhooks/:id',
      summary: 'Change a webhook',
      description: 'What is left out stays as it is.',
      metadata: changesWebhook,
      pathParams: WebhookPath,
      body: ChangeWebhookRequest,
      responses: {
        200: WebhookConfiguration,
        ...refusals(...changeRefusals, ...bodyRefusals, 'NOT_FOUND', 'WEBHOOK_URL_FORBIDDEN'),
      },
    },

    deleteWebhook: {
      method: 'DELETE',
      path: '/api/portal/webhooks/:id',
      summary: 'Delete a webhook',
      description:
        'Nothing more is sent to it: what was on its way becomes a dead letter. Dead letters stay.',
      metadata: changesWebhook,
      pathParams: WebhookPath,
      responses: { 200: DeletedWebhook, ...refusals(...changeRefusals, 'NOT_FOUND') },
    },

    listDeadLetters: {
      method: 'GET',
      path: '/api/portal/webhooks/dead',
      summary: 'List events that could not be delivered',
      description:
        'Newest first, with their original data, kept for 30 days whatever becomes of their webhooks.',
      metadata: {
        auth: 'bearer',
        role: leastRole.readDeliveries,
        rateLimit: 'portal',
        responseHeaders: { 200: ['X-Total-Count', 'Link'] },
      } as const satisfies EndpointMetadata,
      query: DeadLetterQuery,
      responses: {
        200: z.array(DeadLetter),
        ...refusals(...roleRefusals, 'VALIDATION_ERROR'),
      },
    },

    replayDeadLetter: {
      method: 'POST',
      path: '/api/portal/webhooks/:eventId/replay',
      summary: 'Send a dead event again',
      description:
        'With a fresh sequence of retries, the same bytes and the same `webhook-id`, also while its webhook is not ' +
        'active. Once the webhook is deleted nothing more is sent to it.',
      metadata: {
        auth: 'bearer',
        role: leastRole.replayDeadLetters,
        rateLimit: 'portal',
        faults: { 'path.eventId': 'NOT_FOUND' },
      } as const satisfies EndpointMetadata,
      pathParams: z.object({ eventId: Uuid }),
      body: rest.noBody(),
      responses: { 200: QueuedEvent, ...refusals(...changeRefusals, 'NOT_FOUND') },
    },

    testWebhook: {
      method: 'POST',
      path: '/api/portal/webhooks/:id/test',
      summary: 'Send a test event',
      description:
        'Sends `webhook.test`, signed and tried again like any other event, also while the webhook is not active.',
      metadata: changesWebhook,
      pathParams: WebhookPath,
      body: rest.noBody(),
      responses: { 202: QueuedEvent, ...refusals(...changeRefusals, 'NOT_FOUND') },
    },

    rotateWebhookSecret: {
      method: 'POST',
      path: '/api/portal/webhooks/:id/rotate-secret',
      summary: "Rotate a webhook's secret",
      description: 'For a while deliveries are signed with both secrets.',
      metadata: {
        ...changesWebhook,
        responseHeaders: { 200: ['Cache-Control'] },
      } as const satisfies EndpointMetadata,
      pathParams: WebhookPath,
      body: rest.noBody(),
      responses: { 200: RotatedWebhookSecret, ...refusals(...changeRefusals, 'NOT_FOUND') },
    },

    listWebhookDeliveries: {
      method: 'GET',
      path: '/api/portal/webhooks/:id/deliveries',
      summary: 'List the deliveries of a webhook',
      description: 'Newest first, with every attempt.',
      metadata: {
        auth: 'bearer',
        role: leastRole.readDeliveries,
        rateLimit: 'portal',
        faults: { 'path.id': 'NOT_FOUND' },
        responseHeaders: { 200: ['X-Total-Count', 'Link'] },
      } as const satisfies EndpointMetadata,
      pathParams: WebhookPath,
      query: PageQuery,
      responses: {
        200: WebhookDeliveryPage,
        ...refusals(...roleRefusals, 'VALIDATION_ERROR', 'NOT_FOUND'),
      },
    },

    getDefaultWebhookSecret: {
      method: 'GET',
      path: '/api/portal/webhooks/default-secret',
      summary: 'Read the default signing secret',
      description: 'It signs what goes to the `webhook_url` of one request or batch.',
      metadata: {
        auth: 'bearer',
        role: leastRole.readWebhookSecrets,
        rateLimit: 'portal',
        responseHeaders: { 200: ['Cache-Control'] },
      } as const satisfies EndpointMetadata,
      responses: { 200: DefaultWebhookSecret, ...refusals(...roleRefusals) },
    },

    rotateDefaultWebhookSecret: {
      method: 'POST',
      path: '/api/portal/webhooks/default-secret/rotate',
      summary: 'Rotate the default signing secret',
      description: 'For a while deliveries are signed with both secrets.',
      metadata: {
        auth: 'bearer',
        role: leastRole.changeWebhooks,
        rateLimit: 'portal',
        responseHeaders: { 200: ['Cache-Control'] },
      } as const satisfies EndpointMetadata,
      body: rest.noBody(),
      responses: { 200: RotatedDefaultWebhookSecret, ...refusals(...changeRefusals) },
    },
  },
  strict,
)
