import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readVerapdfReport } from '../src/pdfa/external/verapdf-report.ts'
import type { Flavour } from '../src/pdfa/flavour.ts'
import { rulesOf } from './pdfa-facts.ts'

export interface ExternalVerdict {
  readonly compliant: boolean
  readonly rules: readonly string[]
}

export interface Asked {
  readonly bytes: Uint8Array
  readonly flavour: Flavour
}

/**
 * What veraPDF says of these files, in their order; null where it gives no verdict. It starts slowly: it gets many files
 * at once.
 */
export function verdictsOfVerapdf(
  executable: string,
  asked: readonly Asked[],
): (ExternalVerdict | null)[] {
  const folder = mkdtempSync(join(tmpdir(), 'pdfnorm-grade-verapdf-'))
  try {
    const verdicts = new Map<number, ExternalVerdict>()
    for (const [flavour, files] of Map.groupBy(asked.entries(), ([, file]) => file.flavour)) {
      for (let from = 0; from < files.length; from += filesAtOnce) {
        const some = files.slice(from, from + filesAtOnce)
        const names = some.map(([index, { bytes }]) => {
          const name = join(folder, `${index}.pdf`)
          writeFileSync(name, bytes)
          return name
        })
        for (const [index, verdict] of runOver(executable, flavour, names)) {
          verdicts.set(index, verdict)
        }
        for (const name of names) rmSync(name)
      }
    }
    return asked.map((_, index) => verdicts.get(index) ?? null)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A command line has its length. */
const filesAtOnce = 300

interface Report {
  readonly report: {
    readonly jobs: readonly {
      readonly itemDetails: { readonly name: string }
      readonly validationResult?: unknown
    }[]
  }
}

/** @throws when the program cannot be run, or says nothing that is a report */
function runOver(
  executable: string,
  flavour: Flavour,
  names: readonly string[],
): [number, ExternalVerdict][] {
  const options = ['--format', 'json', '--maxfailuresdisplayed', '1', '--loglevel', '0']
  const run = spawnSync(executable, [...options, '--flavour', flavour, ...names], {
    encoding: 'utf8',
    maxBuffer: 1 << 29,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  if (run.error) throw run.error
  const { report } = JSON.parse(run.stdout.slice(run.stdout.indexOf('{"report"'))) as Report
  return report.jobs.flatMap((job) => {
    const index = /(\d+)\.pdf$/.exec(job.itemDetails.name)?.[1]
    if (index === undefined || job.validationResult === undefined) return []
    const alone = JSON.stringify({ report: { ...report, jobs: [job] } })
    const { compliant, errors } = readVerapdfReport(alone, flavour).verdict
    return [[Number(index), { compliant, rules: rulesOf(errors).map(inOurNumbering(flavour)) }]]
  })
}

/**
 * For the properties of predefined schemas in part 1, the profile has the number of the clause on extension schemas; the
 * standard and its test suite have 6.7.2.
 */
function inOurNumbering(flavour: Flavour): (rule: string) => string {
  return (rule) => (flavour.startsWith('1') ? (renumbered.get(rule) ?? rule) : rule)
}

const renumbered = new Map([
  ['6.7.9 t2', '6.7.2 t3'],
  ['6.7.9 t3', '6.7.2 t4'],
])
