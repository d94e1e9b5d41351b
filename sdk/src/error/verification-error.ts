import { PdfnormError } from './pdfnorm-error.ts'

/** A file, a certificate or an attestation is not what it says that it is. */
export class VerificationError extends PdfnormError {
  override readonly name: string = 'VerificationError'
}
