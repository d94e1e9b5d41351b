import { pipelineStages } from '@pdfnorm/contracts/schema/pipeline-stage'
import type { StageRecord } from './outcome.ts'

/** Ten records of stages that were not reached. */
export function skippedStages(): StageRecord[] {
  return pipelineStages.map((name, stage) => ({ stage, name, durationMs: 0, result: 'skipped' }))
}
