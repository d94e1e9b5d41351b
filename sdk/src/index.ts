export {
  type NormalizeOptions,
  type NormalizeResult,
  Pdfnorm,
  type PdfnormOptions,
} from './client.ts'
export type * from './generated/types.ts'
export { type LocalErrorCode, PdfnormError, type PdfnormErrorCode } from './problem-error.ts'
export type { SendOptions } from './send.ts'
export type { PdfSource, PdfStream } from './upload.ts'
export { verifyCertificate } from './verify-certificate.ts'
export type { WaitOptions } from './wait-for-submission.ts'
