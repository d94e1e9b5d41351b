import { defaultOptions, type NormalizeOptions } from '../src/options.ts'
import type { NormalizedOutcome } from '../src/outcome.ts'
import type { CorpusFile } from '../test/corpus-files.ts'
import { type Complaint, judgeOutput, spoken } from '../trial/judge-output.ts'
import { hasQpdf } from '../trial/qpdf-check.ts'
import {
  brokenPromise,
  type Ending,
  endedByClock,
  type WatchedPool,
} from '../trial/watched-pool.ts'
import { type Disagreement, judgeByManifest } from './manifest-facts.ts'

export interface FileGrade {
  readonly file: CorpusFile
  /** With the options that a caller has who chooses none. */
  readonly ending: Ending
  /** That, or for a signed document the outcome without its signatures. */
  readonly normalized: NormalizedOutcome | null
  readonly agreed: number
  readonly disagreements: readonly Disagreement[]
  readonly complaints: readonly Complaint[]
  readonly outputs: number
}

/**
 * Runs one file with the default options, and again with those that lead further: signed documents without their
 * signatures, PDF/A without its claim. Each run is done twice, each output examined and normalized once more.
 */
export async function gradeFile(
  pool: WatchedPool,
  file: CorpusFile,
  bytes: Uint8Array,
  folder: string,
): Promise<FileGrade> {
  const complaints: Complaint[] = []
  const ending = await runTwice(pool, bytes, defaultOptions, complaints)
  const rejectedAsSigned = ending.kind === 'rejected' && ending.failure.code === 'POLICY_REJECTION'
  const stripOptions: NormalizeOptions = { ...defaultOptions, signedPdfPolicy: 'strip' }
  const furthest = rejectedAsSigned ? await runTwice(pool, bytes, stripOptions, complaints) : ending

  const options = rejectedAsSigned ? stripOptions : defaultOptions
  const runs: [Ending, NormalizeOptions][] = [[furthest, options]]
  if (furthest.kind === 'normalized' && furthest.validation.pdfaDeclared) {
    const withoutClaim: NormalizeOptions = { ...options, pdfaPolicy: 'normalize_anyway' }
    runs.push([await runTwice(pool, bytes, withoutClaim, complaints), withoutClaim])
  }

  let pages: number | null = null
  let outputs = 0
  for (const [run, chosen] of runs) {
    if (run.kind !== 'normalized') continue
    outputs += 1
    const judged = await judgeOutput(pool, run, chosen, hasQpdf ? folder : null)
    complaints.push(...judged.complaints)
    pages ??= judged.pages
  }
  const judged = judgeByManifest(file, { ending, furthest, pages })
  const normalized = furthest.kind === 'normalized' ? furthest : null
  return { file, ending, normalized, ...judged, complaints, outputs }
}

async function runTwice(
  pool: WatchedPool,
  bytes: Uint8Array,
  options: NormalizeOptions,
  complaints: Complaint[],
): Promise<Ending> {
  const first = await pool.normalize(bytes, options)
  const broken = brokenPromise(first)
  if (broken !== null) complaints.push({ about: 'crash or hang', what: broken })
  // What was ended by the clock may end at another place the next time.
  if (broken !== null || endedByClock(first)) return first

  const second = await pool.normalize(bytes, options)
  if (endedByClock(second)) return second

  if (timeless(first) !== timeless(second)) {
    complaints.push({ about: 'determinism', what: `${spoken(first)}, then ${spoken(second)}` })
  }
  return first
}

/** Everything about the outcome but the times that it took. */
function timeless(ending: Ending): string {
  if (!('stages' in ending)) return JSON.stringify(ending)
  const stages = ending.stages.map((record) => ({ ...record, durationMs: 0 }))
  return JSON.stringify({ ...ending, processingTimeMs: 0, stages, output: null })
}
