import { defaultOptions } from '../src/options.ts'
import type { NormalizedOutcome, Outcome } from '../src/outcome.ts'
import type { Ending, WatchedPool } from '../trial/watched-pool.ts'
import type { Comparison, ComparisonTask } from './compare-worker.ts'
import { looksSameInPoppler } from './second-renderer.ts'

export interface ComparedFile {
  readonly file: string
  /** Why it was not compared; null when it was. */
  readonly left: string | null
  readonly pages: number
  readonly differences: Comparison['differences']
  /** What was taken out that pages show: names of SecurityInfo. */
  readonly removed: readonly string[]
  /** What had to be repaired to read it, which other readers may have read otherwise. */
  readonly repaired: boolean
  readonly flattened: boolean
  /** Of a flattened form: whether poppler draws all pages that differ alike; null: not asked, or not known. */
  readonly sameInPoppler: boolean | null
}

/** Normalizes a file, a signed one without its signatures, and compares what its pages look like before and after. */
export async function compareFile(
  pool: WatchedPool,
  compare: (task: ComparisonTask) => Promise<Comparison>,
  file: string,
  bytes: Uint8Array,
  how: Pick<ComparisonTask, 'maxPages' | 'pictures'>,
): Promise<ComparedFile> {
  const ending = await pool.normalize(bytes, { ...defaultOptions, signedPdfPolicy: 'strip' })
  const nothing = {
    file,
    pages: 0,
    differences: [],
    removed: [],
    repaired: false,
    flattened: false,
    sameInPoppler: null,
  }
  if (ending.kind !== 'normalized') return { ...nothing, left: whyNot(ending) }

  const { unable, pages, differences } = await compare({
    before: bytes,
    after: ending.output,
    ...how,
  })
  const { acroformFlattened: flattened } = ending.security
  const removed = removedFromPages(ending)
  return {
    file,
    left: unable,
    pages,
    differences,
    removed,
    repaired: wasRepaired(ending),
    flattened,
    sameInPoppler: flattened ? await allSameInPoppler(bytes, ending.output, differences) : null,
  }
}

async function allSameInPoppler(
  before: Uint8Array,
  after: Uint8Array,
  differences: Comparison['differences'],
): Promise<boolean | null> {
  for (const { page } of differences) {
    const same = await looksSameInPoppler(before, after, page)
    if (same !== true) return same
  }
  return differences.length > 0 ? true : null
}

function whyNot(ending: Exclude<Ending, NormalizedOutcome>): string {
  return 'failure' in ending ? ending.failure.code : ending.message
}

/** Scripts, actions and earlier revisions are nothing that a page shows. */
function removedFromPages({ security }: Outcome): string[] {
  const visible = ['embeddedFilesRemoved', 'richMediaRemoved', 'annotationsRemoved'] as const
  return visible.filter((name) => security[name])
}

function wasRepaired({ stages, validation }: Outcome): boolean {
  return stages[2]?.result === 'repaired' || validation.xrefRebuilt
}
