import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import type { NormalizeOptions } from '../options.ts'
import type { TrustAnchors } from '../signature/trust-anchors.ts'
import { createNormalizerPool, type NormalizerPool } from '../worker/normalizer-pool.ts'
import { lostOutcome } from '../stopped-outcome.ts'
import { resultLine } from './result-line.ts'
import { UsageError } from './usage-error.ts'

export interface ManyFiles {
  readonly files: readonly string[]
  /** A file with one name a line, `-` for standard input. */
  readonly filesFrom: string | null
  /** null: the normalized files are not kept. */
  readonly outDir: string | null
  readonly options: NormalizeOptions
  readonly jobs: number | null
  readonly trustAnchors: TrustAnchors | null
}

/**
 * Normalizes many files on all processors and prints one line of JSON for each, in the order given. One file that
 * cannot be read or normalized does not stop the others: its line says so.
 *
 * @throws {UsageError} when there are no files, or the list or the folder cannot be used
 */
export async function normalizeMany(many: ManyFiles): Promise<void> {
  const files = [...many.files, ...(await namesFrom(many.filesFrom))]
  if (files.length === 0) throw new UsageError('--ndjson needs files, or --files-from')
  if (many.outDir !== null) await makeFolder(many.outDir)

  const outputs = outputNames(files)
  const threads = many.jobs ?? availableParallelism()
  const pool = createNormalizerPool({
    workers: threads,
    spareWorkers: 0,
    trustAnchors: many.trustAnchors,
  })
  const progress = progressOf(files.length)
  const lines = inOrder(files.length, threads * 2, (index) =>
    lineFor(pool, files[index] as string, many, outputs[index] as string),
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

/** The files' own names; one that comes again gets a number, so that no output replaces another. */
function outputNames(files: readonly string[]): string[] {
  const taken = new Set<string>()
  return files.map((file) => {
    const { name } = path.parse(file === '-' ? 'stdin' : file)
    let candidate = `${name}.pdf`
    for (let copy = 2; taken.has(candidate); copy++) candidate = `${name}-${copy}.pdf`
    taken.add(candidate)
    return candidate
  })
}

async function lineFor(
  pool: NormalizerPool,
  file: string,
  { outDir, options }: ManyFiles,
  outputName: string,
): Promise<object> {
  try {
    const bytes = await readFile(file)
    const outcome = await pool.normalize(bytes, options)
    if (outcome.kind !== 'normalized' || outDir === null) return resultLine(file, outcome, null)
    const output = path.join(outDir, outputName)
    await writeFile(output, outcome.output)
    return resultLine(file, outcome, output)
  } catch (error) {
    const failure = { code: 'INTERNAL_ERROR', message: reasonOf(error) } as const
    const nothing = { sha256: '', sizeBytes: 0 }
    return { ...resultLine(file, lostOutcome(nothing, 0, null, failure), null), original: null }
  }
}

/** Runs up to `ahead` pieces of work at the same time and yields their results in the order of their indexes. */
async function* inOrder<T>(
  count: number,
  ahead: number,
  start: (index: number) => Promise<T>,
): AsyncGenerator<T> {
  const running: Promise<T>[] = []
  for (let index = 0; index < count; index++) {
    running.push(start(index))
    if (running.length >= ahead) yield await (running.shift() as Promise<T>)
  }
  for (const result of running) yield await result
}

function progressOf(total: number): { step(): void; end(): void } {
  if (!process.stderr.isTTY) return { step: () => {}, end: () => {} }
  let done = 0
  return {
    step: () => process.stderr.write(`\r${++done} of ${total}`),
    end: () => process.stderr.write('\n'),
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
