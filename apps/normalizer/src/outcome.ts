import type { FailureInfo } from '@pdfnorm/contracts/schema/failure'
import type { PipelineStageName } from '@pdfnorm/contracts/schema/pipeline-stage'
import type { SecurityInfo } from '@pdfnorm/contracts/schema/security-findings'
import type { TamperAnalysis, TamperAnomaly } from '@pdfnorm/contracts/schema/tamper-analysis'
import type { ValidationInfo } from '@pdfnorm/contracts/schema/validation-findings'
import type { WarningInfo } from '@pdfnorm/contracts/schema/warning'

/** What became of one document. Findings hold what was found until the pipeline ended. */
export type Outcome = NormalizedOutcome | RejectedOutcome | FailedOutcome

export interface NormalizedOutcome extends Findings {
  readonly kind: 'normalized'
  readonly original: FileFacts
  readonly normalized: NormalizedFacts
  /** The normalized file; under `signedPdfPolicy: 'preserve'` the input's own bytes. */
  readonly output: Uint8Array
  readonly tamperAnalysis: TamperAnalysis
  /** Who held the output against its claim to be PDF/A, such as `veraPDF 1.30.2`; null when nobody was asked to. */
  readonly pdfaValidatorEngine: string | null
  /** 0 to 100, of the input (trust, section 8). */
  readonly healthScore: number
}

export interface RejectedOutcome extends Findings {
  readonly kind: 'rejected'
  readonly original: FileFacts
  readonly failure: FailureInfo
}

export interface FailedOutcome extends Findings {
  readonly kind: 'failed'
  readonly original: FileFacts
  readonly failure: FailureInfo
  /** The stack of an unexpected error, for logs only: it may name what stands in the document. */
  readonly fault?: string
}

export interface FileFacts {
  /** 64 lower-case hexadecimal digits. */
  readonly sha256: string
  readonly sizeBytes: number
}

export interface NormalizedFacts extends FileFacts {
  readonly pdfVersion: string
  readonly linearized: boolean
  /** SHA-256 of the extracted text; null for a document without text. */
  readonly contentHash: string | null
}

export interface Findings {
  readonly processingTimeMs: number
  readonly security: SecurityInfo
  readonly validation: ValidationInfo
  readonly tamperAnalysis: TamperAnalysis | null
  readonly warnings: readonly WarningInfo[]
  /** Always ten entries, in pipeline order; one that was not reached has the result `skipped`. */
  readonly stages: readonly StageRecord[]
}

export interface StageRecord {
  readonly stage: number
  readonly name: PipelineStageName
  readonly durationMs: number
  readonly result: string
  /** On TamperDetection only. */
  readonly findings?: readonly TamperAnomaly[]
}
