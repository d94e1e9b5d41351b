import { z } from 'zod'

/** The ten stages in the order in which they run; a stage's number is its index. */
export const pipelineStages = [
  'PdfaDetection',
  'TamperDetection',
  'StructuralRepair',
  'DigitalSignatureDetection',
  'ActiveContentRemoval',
  'AcroFormHandling',
  'MetadataCanonical',
  'FontResourceValidation',
  'FinalRewrite',
  'ContentHash',
] as const

export const PipelineStageName = z.enum(pipelineStages).meta({ id: 'PipelineStageName' })
export type PipelineStageName = z.infer<typeof PipelineStageName>
