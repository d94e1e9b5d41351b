import { type FailureInfo, rejectionCodes } from '@pdfnorm/contracts/schema/failure'
import { pipelineStages } from '@pdfnorm/contracts/schema/pipeline-stage'
import { emptyFindings } from './findings.ts'
import type { FileFacts, Findings, Outcome } from './outcome.ts'
import { skippedStages } from './stage-record.ts'

type StoppedOutcome = Exclude<Outcome, { kind: 'normalized' }>

/** The outcome of a document that ended before its last stage; its code says whether by policy or by failure. */
export function stoppedOutcome(
  original: FileFacts,
  findings: Findings,
  failure: FailureInfo,
): StoppedOutcome {
  const rejected = rejectionCodes.some((code) => code === failure.code)
  return { ...findings, kind: rejected ? 'rejected' : 'failed', original, failure }
}

/**
 * The outcome of a document whose worker is gone, and its findings with it.
 *
 * @param stage index of the stage that it was in; null before the first
 */
export function lostOutcome(
  original: FileFacts,
  processingTimeMs: number,
  stage: number | null,
  failure: Pick<FailureInfo, 'code' | 'message'>,
): StoppedOutcome {
  const { security, validation, tamperAnalysis, warnings } = emptyFindings()
  const stages = skippedStages().map((record) =>
    record.stage === stage ? { ...record, result: 'failed' } : record,
  )
  return stoppedOutcome(
    original,
    { processingTimeMs, security, validation, tamperAnalysis, warnings, stages },
    { ...failure, stage: stage === null ? null : (pipelineStages[stage] ?? null) },
  )
}
