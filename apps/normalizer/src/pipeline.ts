import { pdfaDetection } from './stages/0-pdfa-detection.ts'
import { tamperDetection } from './stages/1-tamper-detection.ts'
import { structuralRepair } from './stages/2-structural-repair.ts'
import { digitalSignatureDetection } from './stages/3-digital-signature-detection.ts'
import { activeContentRemoval } from './stages/4-active-content-removal.ts'
import { acroFormHandling } from './stages/5-acroform-handling.ts'
import { metadataCanonical } from './stages/6-metadata-canonical.ts'
import { fontResourceValidation } from './stages/7-font-resource-validation.ts'
import { finalRewrite } from './stages/8-final-rewrite.ts'
import { contentHash } from './stages/9-content-hash.ts'
import type { StageRecord } from './outcome.ts'
import { type DocumentInProgress, PipelineStop, type Stage } from './stage.ts'

/** The order of the interface (section 1). A stage sees the document as the stages before it left it. */
const stages = [
  pdfaDetection,
  tamperDetection,
  structuralRepair,
  digitalSignatureDetection,
  activeContentRemoval,
  acroFormHandling,
  metadataCanonical,
  fontResourceValidation,
  finalRewrite,
  contentHash,
] as const satisfies readonly Stage[]

/** Where structural faults belong, also those that show while the file is being read. */
export const structuralRepairStage = stages.indexOf(structuralRepair)

/**
 * Takes the document through the stages and fills `records` as it goes.
 *
 * @param onStage told the index of each stage before it runs, so that a document that has to be
 *   killed can still be said to have ended there
 * @throws {PipelineStop} from the stage that ended the pipeline; its record is filled
 */
export async function runPipeline(
  document: DocumentInProgress,
  records: StageRecord[],
  onStage: (stage: number) => void,
): Promise<void> {
  for (const [index, stage] of stages.entries()) {
    onStage(index)
    const startedAt = performance.now()
    const record = (result: string): void => {
      records[index] = stageRecord(document, index, result, performance.now() - startedAt)
    }
    try {
      record(await stage.run(document))
    } catch (error) {
      record(resultOfStop(stage, error))
      throw error
    }
  }
}

function stageRecord(
  document: DocumentInProgress,
  stage: number,
  result: string,
  durationMs: number,
): StageRecord {
  const { name } = stages[stage] as Stage
  const record = { stage, name, durationMs: Math.round(durationMs), result }
  if (name !== 'TamperDetection') return record
  return { ...record, findings: document.findings.tamperAnalysis?.anomalies ?? [] }
}

function resultOfStop(stage: Stage, error: unknown): string {
  const byPolicy = error instanceof PipelineStop && error.code === 'POLICY_REJECTION'
  return byPolicy && stage === digitalSignatureDetection ? 'rejected' : 'failed'
}
