import type { NormalizeOptions } from '../src/options.ts'
import type { NormalizedOutcome } from '../src/outcome.ts'
import { examineOutput } from './active-content-left.ts'
import { checkWithQpdf } from './qpdf-check.ts'
import type { Ending, WatchedPool } from './watched-pool.ts'

/** Something that must not be, whatever the file. */
export interface Complaint {
  readonly about:
    | 'crash or hang'
    | 'active content'
    | 'determinism'
    | 'idempotence'
    | 'qpdf --check'
    /** For information: what a stream holds was broken before. */
    | 'content of streams'
    | 'qpdf --check-linearization'
  readonly what: string
}

export interface JudgedOutput {
  readonly complaints: readonly Complaint[]
  /** As another library counts them; null where it cannot. */
  readonly pages: number | null
}

/**
 * Examines an output: nothing active in it, it is its own normalization, and qpdf has nothing against it.
 *
 * @param folder where qpdf may have its files; null: without qpdf
 */
export async function judgeOutput(
  pool: WatchedPool,
  run: NormalizedOutcome,
  options: NormalizeOptions,
  folder: string | null,
): Promise<JudgedOutput> {
  const { left, pages } = await examine(run.output)
  const complaints: Complaint[] = left.map((what) => ({ about: 'active content', what }))
  const again = await pool.normalize(run.output, options)
  for (const what of changesOf(run, again)) complaints.push({ about: 'idempotence', what })
  if (folder !== null) complaints.push(...(await complaintsOfQpdf(run, folder)))
  return { complaints, pages }
}

/** An ending in a few words. */
export function spoken(ending: Ending): string {
  if (ending.kind === 'normalized') return `normalized ${ending.normalized.sha256.slice(0, 12)}`
  return 'failure' in ending ? `${ending.failure.code} ${ending.failure.message}` : ending.message
}

async function examine(output: Uint8Array): ReturnType<typeof examineOutput> {
  try {
    return await examineOutput(output)
  } catch (error) {
    return { left: [`the examiner cannot read the output: ${String(error)}`], pages: null }
  }
}

function changesOf(run: NormalizedOutcome, again: Ending): string[] {
  if (again.kind !== 'normalized') return [spoken(again)]
  if (again.normalized.sha256 !== run.normalized.sha256) return ['other bytes']
  const changes: string[] = []
  if (again.normalized.contentHash !== run.normalized.contentHash) changes.push('other content')
  for (const [name, value] of Object.entries({ ...again.security, ...again.validation })) {
    if (value === true && foundInOutput.test(name)) changes.push(`finds ${name}`)
  }
  // What is odd in the content of streams stays as it is, and so does what is said of it; some of it shows only when
  // the damage around it is gone.
  const known = new Set(run.tamperAnalysis.anomalies.map(({ description }) => description))
  const types = again.tamperAnalysis.anomalies
    .filter(({ description, severity }) => severity !== 'low' && !known.has(description))
    .map(({ type }) => type)
  if (types.length > 0) changes.push(`finds ${[...new Set(types)].join(', ')}`)
  return changes
}

/**
 * Findings that no output may give rise to. Fonts that are not embedded and the PDF/A claim stay what they are, and we
 * write object streams ourselves.
 */
const foundInOutput =
  /Removed$|Flattened$|^encryptedInput$|^digitalSignaturesDetected$|^xrefRebuilt$|^brokenReferencesDetected$/

async function complaintsOfQpdf(run: NormalizedOutcome, folder: string): Promise<Complaint[]> {
  const { file, content, linearization } = await checkWithQpdf(
    run.output,
    run.normalized.linearized,
    folder,
  )
  return [
    ...(file === null ? [] : [{ about: 'qpdf --check', what: file } as const]),
    ...(content === null ? [] : [{ about: 'content of streams', what: content } as const]),
    ...(linearization === null
      ? []
      : [{ about: 'qpdf --check-linearization', what: linearization } as const]),
  ]
}
