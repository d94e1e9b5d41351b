import { PdfnormError } from './pdfnorm-error.ts'

/** There was no answer, or it broke off. */
export class ConnectionError extends PdfnormError {
  override readonly name: string = 'ConnectionError'
}

/** There was no answer in the time given. */
export class TimeoutError extends ConnectionError {
  override readonly name: string = 'TimeoutError'
}
