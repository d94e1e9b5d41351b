import { z } from 'zod'
import { ApiVersion } from './api-version.ts'
import { IsoDateTime, OutputHash, Uuid } from './identifier.ts'
import {
  pipelineStages,
  PipelineStageName,
  skippedStageResult,
  stageResults,
} from './pipeline-stage.ts'
import { TamperAnomaly } from './tamper-analysis.ts'
import { WarningInfo } from './warning.ts'

export const StageReport = z
  .object({
    stage: z
      .int()
      .min(0)
      .max(pipelineStages.length - 1),
    name: PipelineStageName,
    durationMs: z.int().nonnegative().meta({ description: '0 for a stage that was not reached.' }),
    result: z.string().meta({ description: describeResults() }),
    findings: z.array(TamperAnomaly).optional().meta({ description: 'On TamperDetection only.' }),
  })
  .meta({ id: 'StageReport', description: 'What one stage of the pipeline did.' })
export type StageReport = z.infer<typeof StageReport>

/** How one normalized file came about (interface, section 2.3; decision 2.12). */
export const Report = z
  .object({
    apiVersion: ApiVersion,
    outputHash: OutputHash,
    submissionId: Uuid,
    createdAt: IsoDateTime,
    processingTimeMs: z.int().nonnegative(),
    stages: z
      .array(StageReport)
      .length(pipelineStages.length)
      .meta({ description: 'Always ten, in pipeline order.' }),
    warnings: z.array(WarningInfo),
    tamperAnalysis: z
      .object({ detected: z.boolean(), findings: z.array(TamperAnomaly) })
      .meta({ id: 'TamperReport' }),
    pdfaValidator: z
      .object({ validated: z.boolean(), errors: z.array(z.string()) })
      .meta({ id: 'PdfaValidatorReport' }),
  })
  .meta({ id: 'Report' })
export type Report = z.infer<typeof Report>

function describeResults(): string {
  const perStage = pipelineStages.map(
    (name) => `${name}: ${stageResults[name].map((result) => `\`${result}\``).join(', ')}`,
  )
  return `${perStage.join('; ')}; \`${skippedStageResult}\` for a stage that was not reached. New values may be added.`
}
