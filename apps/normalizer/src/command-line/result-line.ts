import type { Outcome } from '../outcome.ts'

/** What is printed of one document: the parts of a NormalizeResponse, the stages, and where the file went. */
export function resultLine(file: string, outcome: Outcome, output: string | null): object {
  const { processingTimeMs, original, security, validation, tamperAnalysis, warnings, stages } =
    outcome
  return {
    file,
    status: statusOf(outcome),
    processingTimeMs,
    original,
    normalized: outcome.kind === 'normalized' ? outcome.normalized : null,
    security,
    validation,
    tamperAnalysis,
    warnings,
    failure: outcome.kind === 'normalized' ? null : outcome.failure,
    stages,
    output,
  }
}

export function statusOf({ kind }: Outcome): 'SUCCESS' | 'REJECTED' | 'FAILED' {
  if (kind === 'normalized') return 'SUCCESS'
  return kind === 'rejected' ? 'REJECTED' : 'FAILED'
}
