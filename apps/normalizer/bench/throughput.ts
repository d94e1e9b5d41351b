import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pLimit from 'p-limit'
import { defaultOptions } from '../src/options.ts'
import { createNormalizerPool } from '../src/worker/normalizer-pool.ts'
import { benchDocuments } from './bench-documents.ts'

/**
 * Documents a second with two at a time: the pool with two workers, and a script that runs a native
 * `qpdf --linearize --object-streams=generate` and then `pdftotext` for each file. Both read files and write files.
 */
const { values } = parseArgs({
  options: {
    limit: { type: 'string', default: '300' },
    rounds: { type: 'string', default: '3' },
  },
})
const atATime = 2
const warmUpPasses = 3
const { source, documents } = benchDocuments(Number(values.limit))
const folder = mkdtempSync(join(tmpdir(), 'pdfnorm-throughput-'))
try {
  await bench()
} finally {
  rmSync(folder, { recursive: true })
}

async function bench(): Promise<void> {
  const inputs = documents.map(({ bytes }, index) => {
    const path = join(folder, `${index}.pdf`)
    writeFileSync(path, bytes)
    return path
  })
  const hasTools = installed('qpdf', '--version') && installed('pdftotext', '-v')
  say(
    `throughput: ${inputs.length} documents from ${source}, ${atATime} at a time, after ${warmUpPasses} passes`,
  )

  const pool = createNormalizerPool({ workers: atATime })
  const normalized = async (path: string): Promise<void> => {
    const outcome = await pool.normalize(new Uint8Array(await readFile(path)), defaultOptions)
    if (outcome.kind === 'normalized') await writeFile(`${path}.out`, outcome.output)
  }
  try {
    // What the first runs compile and load is not what a running service pays; a worker needs some hundred documents.
    for (let pass = 0; pass < warmUpPasses; pass += 1) await perSecond(inputs, normalized)
    const ours: number[] = []
    const scripts: number[] = []
    for (let round = 0; round < Number(values.rounds); round += 1) {
      ours.push(await perSecond(inputs, normalized))
      if (hasTools) scripts.push(await perSecond(inputs, chained))
    }
    const best = Math.max(...ours)
    say(`  pool of ${atATime} workers    ${best.toFixed(1)} documents/s (best of ${ours.length})`)
    if (!hasTools) return say('  qpdf or pdftotext is not installed: the pool is measured alone')
    const script = Math.max(...scripts)
    say(
      `  qpdf, then pdftotext  ${script.toFixed(1)} documents/s; ratio ${(best / script).toFixed(2)}`,
    )
  } finally {
    await pool.close()
  }
}

async function perSecond(
  paths: readonly string[],
  process: (path: string) => Promise<void>,
): Promise<number> {
  const turn = pLimit(atATime)
  const startedAt = performance.now()
  await Promise.all(paths.map((path) => turn(() => process(path))))
  return (1_000 * paths.length) / (performance.now() - startedAt)
}

async function chained(path: string): Promise<void> {
  const output = `${path}.qpdf`
  await run('qpdf', ['--linearize', '--object-streams=generate', path, output])
  await run('pdftotext', [output, `${path}.txt`])
}

/** Whatever it answers: both sides meet the same documents, and each may refuse some. */
function run(command: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    execFile(command, args, { timeout: 60_000 }, () => resolve())
  })
}

function installed(command: string, argument: string): boolean {
  return spawnSync(command, [argument]).error === undefined
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
