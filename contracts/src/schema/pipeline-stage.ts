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

export const PipelineStageName = z.enum(pipelineStages).meta({
  id: 'PipelineStageName',
  description: 'A stage of the pipeline, in the order in which they run.',
})
export type PipelineStageName = z.infer<typeof PipelineStageName>

/** What each stage may report as its result (decision 2.12): literal values, or a form with `<…>`. Extensible. */
export const stageResults = {
  PdfaDetection: ['pdf_<major>_<minor>', 'pdf_unknown', 'pdfa_<level>'],
  TamperDetection: ['clean', 'low', 'medium', 'high', 'critical'],
  StructuralRepair: ['clean', 'repaired', 'failed'],
  DigitalSignatureDetection: ['none', 'stripped', 'preserved', 'rejected'],
  ActiveContentRemoval: ['none', 'removed', 'preserved'],
  AcroFormHandling: ['no_forms', 'flattened', 'preserved'],
  MetadataCanonical: ['normalized', 'preserved'],
  FontResourceValidation: ['all_embedded', 'missing_<count>', 'no_fonts'],
  FinalRewrite: ['success', 'preserved', 'failed'],
  ContentHash: ['sha256:<hex>', 'image_only', 'unavailable'],
} as const satisfies Record<PipelineStageName, readonly string[]>

/** The result of a stage that was not reached. */
export const skippedStageResult = 'skipped'
