import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import type { NormalizeOptions } from '../options.ts'
import type { Outcome } from '../outcome.ts'
import type { PdfaSettings } from '../pdfa/pdfa-settings.ts'
import type { TrustAnchors } from '../signature/trust-anchors.ts'
import { createNormalizerPool } from '../worker/normalizer-pool.ts'
import { reasonOf } from './reason-of.ts'
import { UsageError } from './usage-error.ts'
import { resultLine, statusOf } from './result-line.ts'
import { writeWholeFile } from './write-whole-file.ts'

export interface OneFile {
  /** A path, or `-` for standard input. */
  readonly file: string
  /** A path, `-` for standard output, or null to write nothing. */
  readonly output: string | null
  readonly options: NormalizeOptions
  /** Prints the whole result. */
  readonly json: boolean
  readonly trustAnchors: TrustAnchors | null
  readonly pdfaSettings: PdfaSettings
}

/**
 * Normalizes one file and says on standard error what was found, or prints the whole result as JSON.
 *
 * @returns whether the document was normalized
 * @throws {UsageError} when the file cannot be read or the output not written
 */
export async function normalizeOne(one: OneFile): Promise<boolean> {
  const { file, output, options, json, trustAnchors, pdfaSettings } = one
  if (json && output === '-') throw new UsageError('--json and -o - both want standard output')
  const bytes = await readInput(file)
  const pool = createNormalizerPool({ workers: 1, spareWorkers: 0, trustAnchors, pdfaSettings })
  const outcome = await pool.normalize(bytes, options)
  await pool.close()

  if (outcome.kind === 'normalized' && output !== null) await writeOutput(output, outcome.output)
  const written = outcome.kind === 'normalized' ? output : null
  if (json) process.stdout.write(`${JSON.stringify(resultLine(file, outcome, written), null, 2)}\n`)
  else process.stderr.write(summary(outcome, written))
  return outcome.kind === 'normalized'
}

async function readInput(file: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const content = file === '-' ? await buffer(process.stdin) : await readFile(file)
    return new Uint8Array(content)
  } catch (error) {
    throw new UsageError(`cannot read ${file}: ${reasonOf(error)}`)
  }
}

async function writeOutput(output: string, bytes: Uint8Array): Promise<void> {
  try {
    if (output === '-') process.stdout.write(bytes)
    else await writeWholeFile(output, bytes)
  } catch (error) {
    throw new UsageError(`cannot write ${output}: ${reasonOf(error)}`)
  }
}

function summary(outcome: Outcome, output: string | null): string {
  const lines = [`${statusOf(outcome)} in ${outcome.processingTimeMs} ms`]
  if (outcome.kind === 'normalized') {
    const { normalized, original, tamperAnalysis, healthScore } = outcome
    lines.push(
      `  size      ${original.sizeBytes} → ${normalized.sizeBytes} bytes, PDF ${normalized.pdfVersion}`,
      `  sha256    ${normalized.sha256}`,
      `  removed   ${list(removedOf(outcome))}`,
      `  tampering ${tamperAnalysis.riskLevel}`,
      `  health    ${healthScore} of 100`,
    )
    if (output !== null && output !== '-') lines.push(`  written   ${output}`)
  } else {
    const { code, message, stage } = outcome.failure
    lines.push(`  ${code}${stage === null ? '' : ` at ${stage}`}: ${message}`)
  }
  for (const { code, message } of outcome.warnings) lines.push(`  warning   ${code}: ${message}`)
  return `${lines.join('\n')}\n`
}

const removable = {
  javascriptRemoved: 'JavaScript',
  openActionsRemoved: 'open actions',
  launchActionsRemoved: 'launch actions',
  embeddedFilesRemoved: 'embedded files',
  richMediaRemoved: 'rich media',
  annotationsRemoved: 'annotations',
  digitalSignaturesRemoved: 'signatures',
  incrementalUpdatesRemoved: 'earlier revisions',
} as const

function removedOf({ security }: Outcome): string[] {
  return Object.entries(removable).flatMap(([flag, what]) =>
    security[flag as keyof typeof removable] ? [what] : [],
  )
}

function list(items: readonly string[]): string {
  return items.length === 0 ? 'nothing' : items.join(', ')
}
