import { defaultOptions } from '../src/options.ts'
import type { NormalizedOutcome, Outcome } from '../src/outcome.ts'
import type { Ending, WatchedPool } from '../trial/watched-pool.ts'
import type { Comparison, ComparisonTask } from './compare-worker.ts'

export interface ComparedFile {
  readonly file: string
  /** Why it was not compared; null when it was. */
  readonly left: string | null
  readonly pages: number
  readonly differences: Comparison['differences']
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
  const nothing = { file, pages: 0, differences: [] }
  if (ending.kind !== 'normalized') return { ...nothing, left: whyNot(ending) }

  const { embeddedFilesRemoved, richMediaRemoved } = ending.security
  const { unable, pages, differences } = await compare({
    before: bytes,
    after: ending.output,
    wasRepaired: wasRepaired(ending),
    removesMediaAndFiles: embeddedFilesRemoved || richMediaRemoved,
    lacksCharacters: ending.warnings.some(({ code }) => code === 'FIELD_TEXT_LOST'),
    ...how,
  })
  return { file, left: unable, pages, differences }
}

function whyNot(ending: Exclude<Ending, NormalizedOutcome>): string {
  return 'failure' in ending ? ending.failure.code : ending.message
}

function wasRepaired({ stages, validation }: Outcome): boolean {
  return stages[2]?.result === 'repaired' || validation.xrefRebuilt
}
