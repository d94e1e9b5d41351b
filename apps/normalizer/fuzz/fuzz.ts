import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openCorpus } from '../test/corpus-files.ts'
import { hasQpdf } from '../trial/qpdf-check.ts'
import { table } from '../trial/table.ts'
import { createWatchedPool } from '../trial/watched-pool.ts'
import { builtSources, sourcesOfCorpus } from './fuzz-sources.ts'
import { type FuzzFailure, type FuzzResult, runFuzz } from './run-fuzz.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    /** End after so many, also when there is time left: the same ones on every machine. */
    cases: { type: 'string' },
    seed: { type: 'string' },
    /** Run this one case of the seed again. */
    case: { type: 'string' },
    corpus: { type: 'string' },
    /** Documents built in code, also where there is a corpus. */
    built: { type: 'boolean', default: false },
    /** Where failing cases are written. */
    out: { type: 'string', default: '.data/fuzz' },
    qpdf: { type: 'boolean', default: false },
  },
})

const seed = Number(values.seed ?? Date.now() % 2 ** 31)
const corpus = values.built ? null : openCorpus(values.corpus)
const sources = [...(corpus ? sourcesOfCorpus(corpus) : []), ...(await builtSources())]
const pool = createWatchedPool()
const folder = values.qpdf && hasQpdf ? await mkdtemp(join(tmpdir(), 'pdfnorm-fuzz-')) : null
say(`seed ${seed}, ${sources.length} files ${corpus ? 'of the corpus' : 'built in code'}`)

const first = Number(values.case ?? 0)
const endsAt = performance.now() + Number(values.seconds) * 1_000
const last = values.case === undefined ? Number(values.cases ?? Infinity) - 1 : first
const goesOn = (index: number): boolean => index <= last && performance.now() < endsAt
const result = await runFuzz(pool, { sources, seed, first, goesOn, folder, onFailure: keep })

if (folder !== null) await rm(folder, { recursive: true })
await pool.close()
report(result)
process.exitCode = result.failures === 0 ? 0 : 1

async function keep({ file, ...failure }: FuzzFailure): Promise<void> {
  const name = join(values.out, `${seed}-${failure.index}`)
  await mkdir(values.out, { recursive: true })
  await writeFile(`${name}.pdf`, file)
  await writeFile(`${name}.json`, `${JSON.stringify({ seed, ...failure }, null, 2)}\n`)
  say(`${name}.pdf (${failure.source}; ${failure.mutations.join(', ')})`)
  for (const what of failure.what.slice(0, 5)) say(`  ${what.split('\n')[0]}`)
}

function report({ cases, failures, endings }: FuzzResult): void {
  const rows = [...endings].sort(([, one], [, other]) => other - one)
  say(`\n${table([['ended as', 'cases'], ...rows])}`)
  say(`\n${cases} cases, ${failures} failed${failures > 0 ? `, kept in ${values.out}` : ''}`)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
