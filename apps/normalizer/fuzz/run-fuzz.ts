import type { NormalizeOptions } from '../src/options.ts'
import { scanOutput } from '../src/active-content/second-scan.ts'
import { judgeOutput } from '../trial/judge-output.ts'
import {
  brokenPromise,
  type Ending,
  endedByClock,
  type WatchedPool,
} from '../trial/watched-pool.ts'
import { type FuzzSource, readSource } from './fuzz-sources.ts'
import { mutate } from './mutations.ts'
import { type Random, seededRandom } from './random.ts'
import { unfoundedSignature } from './unfounded-signature.ts'

export interface FuzzRun {
  readonly sources: readonly FuzzSource[]
  readonly seed: number
  /** Index of the first case; each case depends on the seed, its index and the sources only. */
  readonly first: number
  /** Asked before each case: whether it is still to be run. */
  readonly goesOn: (index: number) => boolean
  /** For qpdf's files; null: outputs are not given to it. */
  readonly folder: string | null
  readonly onFailure: (failure: FuzzFailure) => Promise<void>
}

export interface FuzzFailure {
  readonly index: number
  readonly source: string
  readonly mutations: readonly string[]
  readonly options: NormalizeOptions
  readonly what: readonly string[]
  readonly file: Uint8Array
}

export interface FuzzResult {
  readonly cases: number
  readonly failures: number
  /** How many cases ended how: normalized, or the code of the failure. */
  readonly endings: ReadonlyMap<string, number>
}

/** Damages files and normalizes them, on all threads of the pool, until told to end. */
export async function runFuzz(pool: WatchedPool, run: FuzzRun): Promise<FuzzResult> {
  const endings = new Map<string, number>()
  let next = run.first
  let failures = 0
  const lane = async (): Promise<void> => {
    while (run.goesOn(next)) {
      const index = next++
      const { ending, failure } = await runCase(pool, run, index)
      endings.set(ending, (endings.get(ending) ?? 0) + 1)
      if (!failure) continue
      failures += 1
      await run.onFailure(failure)
    }
  }
  await Promise.all(Array.from({ length: pool.threads }, lane))
  return { cases: next - run.first, failures, endings }
}

async function runCase(
  pool: WatchedPool,
  { sources, seed, folder }: FuzzRun,
  index: number,
): Promise<{ ending: string; failure: FuzzFailure | null }> {
  const random = seededRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b))
  const source = sources[random.below(sources.length)]
  const other = sources[random.below(sources.length)]
  if (!source || !other) throw new Error('there is nothing to damage')

  const { file: text, by } = mutate(readSource(source, random), random, readSource(other, random))
  const originals = [source.read(), other.read()]
  const options = someOptions(random)
  const file = new Uint8Array(Buffer.from(text, 'latin1'))
  const ending = await unhurried(pool, file, options)
  const unfounded = unfoundedSignature(ending, text, originals)
  const faults = await faultsOf(pool, ending, options, folder, file)
  const what = unfounded === null ? faults : [unfounded, ...faults]
  const failure = { index, source: source.name, mutations: by, options, what, file }
  return { ending: nameOf(ending), failure: what.length > 0 ? failure : null }
}

/** A busy machine ends a document by the clock, too; a slow document is one for which that happens twice. */
async function unhurried(
  pool: WatchedPool,
  file: Uint8Array,
  options: NormalizeOptions,
): Promise<Ending> {
  const ending = await pool.normalize(file, options)
  return endedByClock(ending) ? pool.normalize(file, options) : ending
}

function someOptions(random: Random): NormalizeOptions {
  return {
    linearize: !random.chance(4),
    removeAnnotations: random.chance(4),
    signedPdfPolicy: random.pick(['strip', 'strip', 'reject', 'preserve']),
    pdfaPolicy: random.pick(['preserve', 'normalize_anyway']),
  }
}

async function faultsOf(
  pool: WatchedPool,
  ending: Ending,
  options: NormalizeOptions,
  folder: string | null,
  file: Uint8Array,
): Promise<string[]> {
  const broken = brokenPromise(ending)
  if (broken !== null) return [broken]
  // The sources are small: what damage made endless is a way to keep a worker busy.
  if (endedByClock(ending)) return ['ended by the clock']
  if (ending.kind !== 'normalized') return []
  if (ending.stages.some(({ result }) => result === 'preserved')) {
    return Buffer.compare(ending.output, file) === 0 ? [] : ['preserved as other bytes']
  }

  const hits = scanOutput(ending.output)
  const { complaints } = await judgeOutput(pool, ending, options, folder)
  return [
    ...hits.map(({ what }) => `second scan: ${what}`),
    ...complaints
      .filter(({ about }) => about !== 'content of streams')
      .map(({ about, what }) => `${about}: ${what}`),
  ]
}

function nameOf(ending: Ending): string {
  return 'failure' in ending ? ending.failure.code : ending.kind
}
