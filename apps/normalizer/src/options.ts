/** What a caller may choose; the defaults are those of POST /api/normalize (interface, section 4.2). */
export interface NormalizeOptions {
  readonly linearize: boolean
  readonly removeAnnotations: boolean
  readonly signedPdfPolicy: SignedPdfPolicy
  readonly pdfaPolicy: PdfaPolicy
}

export type SignedPdfPolicy = 'reject' | 'strip' | 'preserve'
export type PdfaPolicy = 'preserve' | 'normalize_anyway'

export const defaultOptions: NormalizeOptions = {
  linearize: true,
  removeAnnotations: false,
  signedPdfPolicy: 'reject',
  pdfaPolicy: 'preserve',
}
