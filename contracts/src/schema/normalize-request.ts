import { z } from 'zod'
import { Uuid } from './identifier.ts'
import { limits } from './limit.ts'
import { Region } from './region.ts'
import { storedText } from './stored-text.ts'

/** A multipart form carries text only. `z.coerce.boolean()` would take "false" for true. */
const FormBoolean = z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] })

export const SignedPdfPolicy = z.enum(['reject', 'strip', 'preserve']).meta({
  id: 'SignedPdfPolicy',
  description:
    'What to do with a signed PDF: reject the submission, strip the signatures and normalize, or preserve the ' +
    "file's own bytes.",
})
export type SignedPdfPolicy = z.infer<typeof SignedPdfPolicy>

export const PdfaPolicy = z.enum(['preserve', 'normalize_anyway']).meta({
  id: 'PdfaPolicy',
  description: 'Whether PDF/A conformance is kept, or given up where normalization needs it.',
})
export type PdfaPolicy = z.infer<typeof PdfaPolicy>

export const IdempotencyKey = storedText(z.string().min(1).max(limits.idempotencyKeyMaxCharacters))

/** An address that receives webhooks; HTTPS is demanded in production, where the server decides it. */
export const WebhookUrl = storedText(
  z.url({ protocol: /^https?$/ }).max(limits.urlMaxCharacters),
).meta({ examples: ['https://example.com/hooks/pdfnorm'] })

/** The name of the one file part of the upload. */
export const uploadField = 'file'

/** The text fields of the upload (interface, section 4.2); they may stand before or after the file. */
export const NormalizeRequest = z
  .object({
    linearize: FormBoolean.default(true).meta({
      type: 'boolean',
      description: 'Linearize the output (ISO 32000-2, annex F).',
    }),
    remove_annotations: FormBoolean.default(false).meta({
      type: 'boolean',
      description: 'Remove all annotations.',
    }),
    signed_pdf_policy: SignedPdfPolicy.default('reject'),
    pdfa_policy: PdfaPolicy.default('preserve'),
    region: Region.optional().meta({ description: "Default: the organization's region." }),
    webhook_url: WebhookUrl.optional().meta({
      description: 'Receives one event when this submission ends.',
    }),
    idempotency_key: IdempotencyKey.optional().meta({
      description: 'For 24 hours the same key with the same file answers with the same submission.',
    }),
    batch_id: Uuid.optional().meta({ description: 'An existing batch to which this belongs.' }),
  })
  .meta({ id: 'NormalizeRequest', description: 'The form of an upload.' })
export type NormalizeRequest = z.infer<typeof NormalizeRequest>
