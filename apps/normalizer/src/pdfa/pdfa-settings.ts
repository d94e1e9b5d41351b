/** What whoever runs the pipeline decided about PDF/A, for all documents. */
export interface PdfaSettings {
  readonly validator: PdfaValidatorChoice
  /** Keep the harmless files that a PDF/A-3 or PDF/A-4f document associates with itself, such as the XML of an invoice. */
  readonly keepAssociatedFiles: boolean
}

/** Who holds documents against ISO 19005: the validator that is built in, or veraPDF as a program or as a service. */
export type PdfaValidatorChoice =
  | { readonly kind: 'internal' }
  | {
      readonly kind: 'verapdf-cli'
      /** A path, or a name to be found on the search path. */
      readonly executable: string
      /** Of the process that runs it: what veraPDF and its Java machine need, and nothing of the service's. */
      readonly environment: Readonly<Record<string, string>>
      readonly timeoutMs: number
    }
  | {
      readonly kind: 'verapdf-rest'
      /** Where the service is; `/api/validate/…` is added. */
      readonly url: string
      readonly timeoutMs: number
    }

/** veraPDF as a program or as a service: both give the same report. */
export type VerapdfChoice = Exclude<PdfaValidatorChoice, { kind: 'internal' }>

export const pdfaValidatorKinds = ['internal', 'verapdf-cli', 'verapdf-rest'] as const

export const defaultPdfaSettings: PdfaSettings = {
  validator: { kind: 'internal' },
  keepAssociatedFiles: false,
}

/**
 * How long one validation by veraPDF may take by default. A document is validated twice, and a worker is given up after
 * 48 seconds (`worker/worker-process.ts`).
 */
export const defaultVerapdfTimeoutMs = 20_000
