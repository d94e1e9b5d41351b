import { createHash } from 'node:crypto'
import { pipelineStages } from '@pdfnorm/contracts/schema/pipeline-stage'
import { emptyFindings } from './findings.ts'
import { healthScore } from './health-score.ts'
import { isLibraryFault } from './library-fault.ts'
import { defaultOptions, type NormalizeOptions } from './options.ts'
import type { FileFacts, Findings, Outcome, StageRecord } from './outcome.ts'
import { MalformedPdfError, ResourceLimitError } from './pdf/reading/read-limits.ts'
import type { PdfFile } from './pdf/pdf-file.ts'
import { readPdf } from './pdf/reading/read-pdf.ts'
import { defaultPdfaSettings, type PdfaSettings } from './pdfa/pdfa-settings.ts'
import { runPipeline, structuralRepairStage } from './pipeline.ts'
import type { TrustAnchors } from './signature/trust-anchors.ts'
import { skippedStages } from './stage-record.ts'
import { type DocumentInProgress, type FindingsInProgress, PipelineStop } from './stage.ts'
import { stoppedOutcome } from './stopped-outcome.ts'

export interface NormalizeRun {
  /** The moment against which certificates are judged; default: now. */
  readonly now?: Date
  /** Certificates of the authorities that signatures are judged by; default: none, and they are not judged. */
  readonly trustAnchors?: TrustAnchors | null
  /** Who validates PDF/A, and what is kept for its sake; default: the built-in validator, and nothing. */
  readonly pdfaSettings?: PdfaSettings
  /** Told what is known of the file before any of it is parsed. */
  readonly onOriginal?: (original: FileFacts) => void
  /** Told the index of each stage before it runs. */
  readonly onStage?: (stage: number) => void
}

/**
 * Normalizes one PDF: the same bytes and options give the same output bytes.
 *
 * Never throws for anything that is in the bytes: a document that a policy refuses is `rejected`, one that cannot be
 * carried on is `failed`. Runs in the calling thread and may take as long as the document asks for; servers use
 * the pool (`worker/normalizer-pool.ts`), which bounds time and memory.
 */
export async function normalize(
  bytes: Uint8Array,
  options: NormalizeOptions = defaultOptions,
  run: NormalizeRun = {},
): Promise<Outcome> {
  const startedAt = performance.now()
  const original = fileFacts(bytes)
  run.onOriginal?.(original)

  const findings = emptyFindings()
  const stages = skippedStages()
  const found = (): Findings => ({
    processingTimeMs: Math.round(performance.now() - startedAt),
    security: findings.security,
    validation: findings.validation,
    tamperAnalysis: findings.tamperAnalysis,
    warnings: findings.warnings,
    stages,
  })

  let reached: number | null = null
  try {
    const document = openDocument(bytes, options, findings, stages, run)
    await runPipeline(document, stages, (stage) => {
      reached = stage
      run.onStage?.(stage)
    })
    return normalizedOutcome(document, original, found())
  } catch (error) {
    const stop = asPipelineStop(error)
    const stage = stop instanceof ReadingStop ? stop.stage : reached
    const outcome = stoppedOutcome(original, found(), {
      code: stop.code,
      message: stop.message,
      stage: stage === null ? null : (pipelineStages[stage] ?? null),
    })
    const fault = faultOf(error)
    return outcome.kind === 'failed' && fault !== null ? { ...outcome, fault } : outcome
  }
}

function openDocument(
  bytes: Uint8Array,
  options: NormalizeOptions,
  findings: FindingsInProgress,
  stages: StageRecord[],
  { now = new Date(), trustAnchors = null, pdfaSettings = defaultPdfaSettings }: NormalizeRun,
): DocumentInProgress {
  const file = readOrStop(bytes, stages)
  refuseUnsupportedVersion(file)
  if (file.encrypted) {
    findings.security.encryptedInput = true
    throw new ReadingStop(
      'ENCRYPTED_PDF',
      'The document is encrypted. Upload it without encryption.',
    )
  }
  return {
    options,
    file,
    findings,
    output: null,
    contentHash: null,
    now,
    trustAnchors,
    pdfaSettings,
  }
}

function readOrStop(bytes: Uint8Array, stages: StageRecord[]): PdfFile {
  try {
    return readPdf(bytes)
  } catch (error) {
    const { code, message } = asPipelineStop(error)
    const record = stages[structuralRepairStage]
    if (record) stages[structuralRepairStage] = { ...record, result: 'failed' }
    throw new ReadingStop(code, message, structuralRepairStage, error)
  }
}

/** Decision 2.3: a major version other than 1 and 2. A header that is merely odd is a finding of TamperDetection. */
function refuseUnsupportedVersion({ header }: PdfFile): void {
  const major = header.version?.split('.')[0]
  if (major === undefined || major === '1' || major === '2') return
  throw new ReadingStop(
    'UNSUPPORTED_PDF_VERSION',
    `The header names version ${header.version}; versions 1.x and 2.x are supported.`,
  )
}

/** A stop before the first stage: while the file was read, or by a policy that needs no stage. */
class ReadingStop extends PipelineStop {
  readonly stage: number | null
  override readonly cause: unknown

  constructor(
    code: PipelineStop['code'],
    message: string,
    stage: number | null = null,
    cause: unknown = null,
  ) {
    super(code, message)
    this.stage = stage
    this.cause = cause
  }
}

function asPipelineStop(error: unknown): PipelineStop {
  if (error instanceof PipelineStop) return error
  if (error instanceof ResourceLimitError) {
    return new PipelineStop('RESOURCE_LIMIT_EXCEEDED', error.message)
  }
  if (error instanceof MalformedPdfError) return new PipelineStop('MALFORMED_PDF', error.message)
  if (error instanceof RangeError) {
    // The engine's own word for a stack, an array or a buffer that grew too large.
    return new PipelineStop(
      'RESOURCE_LIMIT_EXCEEDED',
      'The document needs more memory than allowed.',
    )
  }
  return isLibraryFault(error)
    ? new PipelineStop('MALFORMED_PDF', 'A part of the document cannot be read.')
    : new PipelineStop('INTERNAL_ERROR', 'The document could not be processed.')
}

function normalizedOutcome(
  document: DocumentInProgress,
  original: FileFacts,
  found: Findings,
): Outcome {
  const { output, contentHash, findings } = document
  if (!output || !findings.tamperAnalysis) throw new Error('the pipeline ended without output')
  const { bytes, pdfVersion, linearized } = output
  return {
    ...found,
    kind: 'normalized',
    original,
    normalized: { ...fileFacts(bytes), pdfVersion, linearized, contentHash },
    output: bytes,
    tamperAnalysis: findings.tamperAnalysis,
    pdfaValidatorEngine: findings.pdfaValidatorEngine,
    healthScore: healthScore(findings),
  }
}

function fileFacts(bytes: Uint8Array): FileFacts {
  return { sha256: createHash('sha256').update(bytes).digest('hex'), sizeBytes: bytes.byteLength }
}

/** The stack of what nothing in a document should cause; null for everything else. */
function faultOf(error: unknown): string | null {
  if (error instanceof ReadingStop && error.cause !== null) return faultOf(error.cause)
  if (error instanceof PipelineStop && error.code !== 'INTERNAL_ERROR') return null
  const isLimit = error instanceof ResourceLimitError || error instanceof RangeError
  if (isLimit || error instanceof MalformedPdfError) return null
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
