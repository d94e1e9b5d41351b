import { PdfnormError } from './pdfnorm-error.ts'

/** What arrived is not an event that the service has just sent. */
export class WebhookError extends PdfnormError {
  override readonly name: string = 'WebhookError'
}
