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

/** Interface, section 2.3; decision 2.12. */
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
      .meta({ id: 'TamperReport', description: 'What the tamper detection found.' }),
    pdfaValidator: z
      .object({
        validated: z.boolean(),
        errors: z.array(z.string()),
        engine: z
          .string()
          .optional()
          .meta({
            description: 'Which validator it was, with its version; absent when none was asked.',
            examples: ['pdfnorm 2026-11-22', 'veraPDF 1.30.2'],
          }),
      })
      .meta({
        id: 'PdfaValidatorReport',
        description:
          'Whether the PDF/A validator ran to its end, and the clauses of ISO 19005 that it found violated.',
      }),
  })
  .meta({ id: 'Report', description: 'How one normalized file came about.', examples: [example()] })
export type Report = z.infer<typeof Report>

function example() {
  const results = [
    'pdf_1_4',
    'clean',
    'repaired',
    'none',
    'removed',
    'no_forms',
    'normalized',
    'all_embedded',
    'success',
    'sha256:fcde2b2edba56bf408601fb721fe9b5c338d10ee429ea04fae5511b68fbf8fb9',
  ]
  return {
    apiVersion: '2026-11-01',
    outputHash: 'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    submissionId: '0199c8a4-6f1e-7c3a-9d52-0b6f6f0d3c11',
    createdAt: '2026-11-01T09:30:00.842Z',
    processingTimeMs: 842,
    stages: pipelineStages.map((name, stage) => ({
      stage,
      name,
      durationMs: 12 * (stage + 1),
      result: results[stage],
      ...(name === 'TamperDetection' ? { findings: [] } : {}),
    })),
    warnings: [],
    tamperAnalysis: { detected: false, findings: [] },
    pdfaValidator: { validated: false, errors: [] },
  }
}

function describeResults(): string {
  const perStage = pipelineStages.map(
    (name) => `${name}: ${stageResults[name].map((result) => `\`${result}\``).join(', ')}`,
  )
  return `${perStage.join('; ')}; \`${skippedStageResult}\` for a stage that was not reached. New values may be added.`
}
