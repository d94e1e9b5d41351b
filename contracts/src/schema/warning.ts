import { z } from 'zod'

export const WarningCode = z
  .enum([
    'NON_EMBEDDED_FONT',
    'PDFA_NOT_PRESERVED',
    'PDFA_CLAIM_DROPPED',
    'PDFA_NOT_COMPLIANT',
    'PDFA_VALIDATOR_UNAVAILABLE',
    'ASSOCIATED_FILES_REMOVED',
    'SIGNATURE_INVALID',
    'SIGNATURES_REMOVED',
    'SIGNED_CONTENT_PRESERVED',
    'WEAK_SIGNATURE_ALGORITHM',
    'XFA_CONTENT_LOST',
    'FIELD_TEXT_LOST',
    'HIDDEN_LAYER',
    'IMAGE_ONLY_DOCUMENT',
    'TEXT_EXTRACTION_FAILED',
    'LINEARIZATION_SKIPPED',
    'TAMPER_ANOMALY',
  ])
  .meta({
    id: 'WarningCode',
    description:
      'What the pipeline noticed and could not, or did not have to, put right. New codes may be added.',
    extensible: true,
  })
export type WarningCode = z.infer<typeof WarningCode>

export const WarningInfo = z
  .object({ code: WarningCode, message: z.string() })
  .meta({ id: 'WarningInfo', description: 'One warning.' })
export type WarningInfo = z.infer<typeof WarningInfo>
