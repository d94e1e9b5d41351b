import { mkdir, readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import pLimit from 'p-limit'
import type { NormalizeOptions } from '../options.ts'
import type { PdfaSettings } from '../pdfa/pdfa-settings.ts'
import type { TrustAnchors } from '../signature/trust-anchors.ts'
import { createNormalizerPool, type NormalizerPool } from '../worker/normalizer-pool.ts'
import { lostOutcome } from '../stopped-outcome.ts'
import { resultLine } from './result-line.ts'
import { reasonOf } from './reason-of.ts'
import { UsageError } from './usage-error.ts'
import { writeWholeFile } from './write-whole-file.ts'

export interface ManyFiles {
  readonly files: readonly string[]
  /** A file with one name a line, `-` for standard input. */
  readonly filesFrom: string | null
  /** null: the normalized files are not kept. */
  readonly outDir: string | null
  readonly options: NormalizeOptions
  readonly jobs: number | null
  readonly trustAnchors: TrustAnchors | null
  readonly pdfaSettings: PdfaSettings
}

/**
 * Normalizes many files on all processors and prints one line of JSON for each, in the order given. One file that
 * cannot be read or normalized does not stop the others: its line says so.
 *
 * @throws {UsageError} when there are no files, or the list or the folder cannot be used
 */
export async function normalizeMany(many: ManyFiles): Promise<void> {
  if ([...many.files, many.filesFrom].filter((name) => name === '-').length > 1) {
    throw new UsageError('standard input can be read only once')
  }
  const files = [...many.files, ...(await namesFrom(many.filesFrom))]
  if (files.length === 0) throw new UsageError('--ndjson needs files, or --files-from')
  const outputs = outputPaths(files, many.outDir)
  if (many.outDir !== null) await makeFolder(many.outDir)

  const workers = many.jobs ?? availableParallelism()
  const { trustAnchors, pdfaSettings } = many
  const pool = createNormalizerPool({ workers, spareWorkers: 0, trustAnchors, pdfaSettings })
  const progress = progressOf(files.length)
  // One more than there are workers, so that the next file is read while they are at work.
  const turn = pLimit(workers + 1)
  const lines = inOrder(files.length, (index) =>
    turn(() => lineFor(pool, files[index] ?? '', many, outputs[index] ?? null)),
  )
  for await (const line of lines) {
    process.stdout.write(`${JSON.stringify(line)}\n`)
    progress.step()
  }
  progress.end()
  await pool.close()
}

async function namesFrom(list: string | null): Promise<string[]> {
  if (list === null) return []
  try {
    const names = list === '-' ? await text(process.stdin) : await readFile(list, 'utf8')
    return names.split(/\r?\n/).filter((name) => name !== '')
  } catch (error) {
    throw new UsageError(`cannot read ${list}: ${reasonOf(error)}`)
  }
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
  } catch (error) {
    throw new UsageError(`cannot make ${folder}: ${reasonOf(error)}`)
  }
}

/**
 * The files' own names; one that comes again gets a number, so that no output replaces another.
 *
 * @throws {UsageError} when an output would replace a file that is yet to be read
 */
function outputPaths(files: readonly string[], outDir: string | null): (string | null)[] {
  if (outDir === null) return files.map(() => null)
  const inputs = new Set(files.map((file) => path.resolve(file)))
  const taken = new Set<string>()
  return files.map((file) => {
    const { name } = path.parse(file === '-' ? 'stdin' : file)
    let candidate = `${name}.pdf`
    for (let copy = 2; taken.has(candidate); copy++) candidate = `${name}-${copy}.pdf`
    taken.add(candidate)
    const output = path.join(outDir, candidate)
    if (inputs.has(path.resolve(output))) {
      throw new UsageError(`the output ${output} would replace a file that is to be read`)
    }
    return output
  })
}

async function lineFor(
  pool: NormalizerPool,
  file: string,
  { options }: ManyFiles,
  output: string | null,
): Promise<object> {
  try {
    const bytes = file === '-' ? await buffer(process.stdin) : await readFile(file)
    const outcome = await pool.normalize(bytes, options)
    if (outcome.kind !== 'normalized' || output === null) return resultLine(file, outcome, null)
    await writeWholeFile(output, outcome.output)
    return resultLine(file, outcome, output)
  } catch (error) {
    const failure = { code: 'INTERNAL_ERROR', message: reasonOf(error) } as const
    const nothing = { sha256: '', sizeBytes: 0 }
    return { ...resultLine(file, lostOutcome(nothing, 0, null, failure), null), original: null }
  }
}

/**
 * Starts pieces of work and yields their results in the order of their indexes. Those behind a slow one go on; so many
 * lines may wait for it.
 */
async function* inOrder<T>(count: number, start: (index: number) => Promise<T>): AsyncGenerator<T> {
  const running: Promise<T>[] = []
  for (let index = 0; index < count; index++) {
    running.push(start(index))
    if (running.length >= linesAhead) yield await (running.shift() as Promise<T>)
  }
  for (const result of running) yield await result
}

const linesAhead = 1_000

function progressOf(total: number): { step(): void; end(): void } {
  if (!process.stderr.isTTY) return { step: () => {}, end: () => {} }
  let done = 0
  return {
    step: () => process.stderr.write(`\r${++done} of ${total}`),
    end: () => process.stderr.write('\n'),
  }
}
