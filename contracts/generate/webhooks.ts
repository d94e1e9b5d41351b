import type { OperationObject, PathItemObject } from 'openapi3-ts/oas31'
import type { z } from 'zod'
import { SubmissionEventName } from '../src/schema/webhook-endpoint.ts'
import { BatchEvent, SubmissionEvent, TestEvent } from '../src/schema/webhook-event.ts'
import { exampleOf } from './example.ts'
import type { SchemaComponents } from './schema-components.ts'

/** Every event as a request that the service makes (interface, section 6; decisions, section 4). */
export function describeWebhooks(components: SchemaComponents): Record<string, PathItemObject> {
  const events: [name: string, schema: z.ZodType, summary: string][] = [
    ...SubmissionEventName.options.map((name): [string, z.ZodType, string] => [
      name,
      SubmissionEvent,
      summaries[name],
    ]),
    ['batch.complete', BatchEvent, 'Every submission of a batch has ended'],
    ['webhook.test', TestEvent, 'A test that was asked for in the portal'],
  ]
  return Object.fromEntries(
    events.map(([name, schema, summary]) => [
      name,
      { post: describeEvent(name, schema, summary, components) },
    ]),
  )
}

const summaries: Record<SubmissionEventName, string> = {
  'normalization.success': 'A submission was normalized',
  'normalization.failure': 'A submission could not be normalized',
  'normalization.rejected': 'A policy refused a submission',
}

function describeEvent(
  name: string,
  schema: z.ZodType,
  summary: string,
  components: SchemaComponents,
): OperationObject {
  const body = components.add(schema, 'output')
  return {
    operationId: `on${name.replace(/(?:^|\.)([a-z])/g, (_, letter: string) => letter.toUpperCase())}`,
    summary,
    description:
      'Sent at least once and in no order; `webhook-id` is the same over all attempts. A 2xx acknowledges it, ' +
      '410 deactivates the webhook, anything else is tried again, five times at most.',
    security: [],
    parameters: headers.map((header) => ({ in: 'header', required: true, ...header })),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: body,
          example: eventExample(name, exampleOf(body, components)),
        },
      },
    },
    responses: { '2XX': { description: 'Received.' }, '410': { description: 'No longer wanted.' } },
  }
}

const headers = [
  {
    name: 'X-Service-Signature',
    description:
      'HMAC-SHA256 of the body, keyed with the signing secret, in lower-case hexadecimal.',
    schema: { type: 'string' as const, pattern: '^[0-9a-f]{64}$' },
  },
  {
    name: 'webhook-id',
    description: "The event's id (Standard Webhooks).",
    schema: { type: 'string' as const },
  },
  {
    name: 'webhook-timestamp',
    description: 'When this attempt was signed, in seconds since 1970.',
    schema: { type: 'integer' as const },
  },
  {
    name: 'webhook-signature',
    description: '`v1,` and the signature in base64; several, when a secret is being rotated.',
    schema: { type: 'string' as const },
  },
  {
    name: 'X-Request-Id',
    required: false,
    description: 'The id of the request that led to the event.',
    schema: { type: 'string' as const },
  },
]

/** The schema's example is a success; the other outcomes have their own status, no output, and a failure. */
function eventExample(name: string, example: unknown): unknown {
  const outcome = outcomes[name]
  if (outcome === undefined) return example
  const event = SubmissionEvent.parse(example)
  return {
    ...event,
    event: name,
    data: {
      ...event.data,
      status: outcome.status,
      outputHash: null,
      outputSizeBytes: null,
      downloadUrl: null,
      failure: outcome.failure,
    },
  }
}

const outcomes: Record<string, { status: string; failure: Record<string, string> }> = {
  'normalization.failure': {
    status: 'FAILED',
    failure: {
      code: 'MALFORMED_PDF',
      message: 'No page tree could be found.',
      stage: 'StructuralRepair',
    },
  },
  'normalization.rejected': {
    status: 'REJECTED',
    failure: {
      code: 'POLICY_REJECTION',
      message: 'The document is signed, and signed_pdf_policy is reject.',
      stage: 'DigitalSignatureDetection',
    },
  },
}
