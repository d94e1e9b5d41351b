import { type FailureInfo, rejectionCodes } from '@pdfnorm/contracts/schema/failure'
import type { FileFacts, Findings, Outcome } from './outcome.ts'

/** The outcome of a document that ended before its last stage; its code says whether by policy or by failure. */
export function stoppedOutcome(
  original: FileFacts,
  findings: Findings,
  failure: FailureInfo,
): Exclude<Outcome, { kind: 'normalized' }> {
  const rejected = rejectionCodes.some((code) => code === failure.code)
  return { ...findings, kind: rejected ? 'rejected' : 'failed', original, failure }
}
