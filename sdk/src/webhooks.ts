export type {
  BatchEvent,
  SubmissionEvent,
  SubmissionEventData,
  TestEvent,
  WebhookEvent,
} from './generated/types.ts'
export { PdfnormError } from './error/pdfnorm-error.ts'
export { WebhookError } from './error/webhook-error.ts'
export { fetchHandler, type OnWebhookEvent, type WebhookSecret } from './webhook/fetch-handler.ts'
export { sign, type SignedWebhook } from './webhook/sign.ts'
export { unwrap, type UnwrapOptions, type WebhookHeaders } from './webhook/unwrap.ts'
