import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { pipelineStages } from '@pdfnorm/contracts/schema/pipeline-stage'
import { normalize } from '../src/normalize.ts'
import { type BenchDocument, benchDocuments } from './bench-documents.ts'

/**
 * The whole pipeline in this one warm process against a native `qpdf --linearize --object-streams=generate` process
 * for each file, alternating over the same files. Both read their input from a file and write their output to one.
 */
const { values } = parseArgs({
  options: {
    limit: { type: 'string', default: '300' },
    rounds: { type: 'string', default: '3' },
  },
})
const rounds = Number(values.rounds)
const { source, documents } = benchDocuments(Number(values.limit))
const folder = mkdtempSync(join(tmpdir(), 'pdfnorm-bench-'))
try {
  await bench()
} finally {
  rmSync(folder, { recursive: true })
}

async function bench(): Promise<void> {
  const qpdfVersion = versionOfQpdf()
  say(`${documents.length} documents from ${source}, ${rounds} rounds, medians per document`)
  say(`node ${process.versions.node}, ${cpus()[0]?.model ?? 'unknown CPU'}, one thread`)
  say(qpdfVersion ?? 'qpdf is not installed: the pipeline is measured alone')

  // What the first runs compile and load is not what a running service pays.
  for (const document of documents.slice(0, 60)) await timePipeline(document)

  const results: Result[] = []
  const left: string[] = []
  for (const [index, document] of documents.entries()) {
    const result = await compare(document, qpdfVersion !== null, index)
    if (typeof result === 'string') left.push(result)
    else results.push(result)
  }
  report(results, left, qpdfVersion !== null)
}

interface Result {
  readonly name: string
  readonly inputBytes: number
  readonly outputBytes: number
  readonly pipelineMs: number
  /** Before the first stage, each stage, after the last. */
  readonly parts: readonly number[]
  readonly qpdfMs: number | null
  readonly qpdfBytes: number | null
}

/** Why the document was left out, or its figures. */
async function compare(
  document: BenchDocument,
  withQpdf: boolean,
  index: number,
): Promise<Result | string> {
  const pipeline: Run[] = []
  const qpdf: QpdfRun[] = []
  for (let round = 0; round < rounds; round += 1) {
    // Neither always runs with the caches that the other has just filled.
    const qpdfFirst = (round + index) % 2 === 1
    if (withQpdf && qpdfFirst) qpdf.push(timeQpdf(document))
    const run = await timePipeline(document)
    if (typeof run === 'string') return `${document.name}: ${run}`
    pipeline.push(run)
    if (withQpdf && !qpdfFirst) qpdf.push(timeQpdf(document))
  }
  if (qpdf.some(({ bytes }) => bytes === 0)) return `${document.name}: qpdf gives no output`

  const [first] = pipeline
  if (!first) return `${document.name}: no rounds`
  return {
    name: document.name,
    inputBytes: document.bytes.length,
    outputBytes: first.outputBytes,
    pipelineMs: median(pipeline.map(({ ms }) => ms)),
    parts: first.parts.map((_, part) => median(pipeline.map(({ parts }) => parts[part] ?? 0))),
    qpdfMs: withQpdf ? median(qpdf.map(({ ms }) => ms)) : null,
    qpdfBytes: qpdf[0]?.bytes ?? null,
  }
}

interface Run {
  readonly ms: number
  readonly parts: readonly number[]
  readonly outputBytes: number
}

async function timePipeline(document: BenchDocument): Promise<Run | string> {
  const input = join(folder, 'input.pdf')
  writeFileSync(input, document.bytes)
  const marks: number[] = []
  const startedAt = performance.now()
  const outcome = await normalize(new Uint8Array(readFileSync(input)), undefined, {
    onStage: () => marks.push(performance.now()),
  })
  const normalizedAt = performance.now()
  if (outcome.kind !== 'normalized') return `${outcome.failure.code} ${outcome.failure.message}`
  writeFileSync(join(folder, 'output.pdf'), outcome.output)
  const endedAt = performance.now()

  const moments = [startedAt, ...marks, normalizedAt, endedAt]
  return {
    ms: endedAt - startedAt,
    parts: moments.slice(1).map((moment, part) => moment - (moments[part] ?? moment)),
    outputBytes: outcome.output.length,
  }
}

interface QpdfRun {
  readonly ms: number
  readonly bytes: number
}

function timeQpdf(document: BenchDocument): QpdfRun {
  const input = join(folder, 'qpdf-input.pdf')
  const output = join(folder, 'qpdf-output.pdf')
  writeFileSync(input, document.bytes)
  rmSync(output, { force: true })
  const startedAt = performance.now()
  const run = spawnSync('qpdf', ['--linearize', '--object-streams=generate', input, output])
  const ms = performance.now() - startedAt
  // 3: with warnings.
  const wrote = run.status === 0 || run.status === 3
  return { ms, bytes: wrote ? readFileSync(output).length : 0 }
}

function versionOfQpdf(): string | null {
  const run = spawnSync('qpdf', ['--version'], { encoding: 'utf8' })
  return run.status === 0 ? (run.stdout.split('\n')[0] ?? '') : null
}

function report(results: readonly Result[], left: readonly string[], withQpdf: boolean): void {
  const pipelineMs = results.map((result) => result.pipelineMs)
  say('')
  say(`compared: ${results.length}, left out: ${left.length}`)
  for (const reason of left) say(`  left out  ${reason}`)
  say('')
  say(`pipeline       ${distribution(pipelineMs)}  ${perSecond(pipelineMs)}`)
  if (withQpdf) reportQpdf(results, pipelineMs)
  reportParts(results)
}

function reportQpdf(results: readonly Result[], pipelineMs: readonly number[]): void {
  const qpdfMs = results.map((result) => result.qpdfMs ?? 0)
  const ratios = results.map((result) => result.pipelineMs / (result.qpdfMs ?? Infinity))
  const sizes = results.map((result) => result.outputBytes / (result.qpdfBytes ?? Infinity))
  const start = Array.from({ length: 21 }, () => {
    const startedAt = performance.now()
    spawnSync('qpdf', ['--version'])
    return performance.now() - startedAt
  })
  say(`qpdf           ${distribution(qpdfMs)}  ${perSecond(qpdfMs)}`)
  say(`               of which starting and ending a process: ${ms(median(start))}`)
  say(
    `ratio of time  median ${fixed(median(ratios))}, p95 ${fixed(quantile(ratios, 0.95))}, ` +
      `of the sums ${fixed(sum(pipelineMs) / sum(qpdfMs))}`,
  )
  say(
    `ratio of size  median ${fixed(median(sizes))}, p95 ${fixed(quantile(sizes, 0.95))}, of the sums ` +
      fixed(sum(results.map((r) => r.outputBytes)) / sum(results.map((r) => r.qpdfBytes ?? 0))),
  )
  say('slowest against qpdf:')
  const slowest = results.toSorted((one, other) => ratio(other) - ratio(one)).slice(0, 5)
  for (const result of slowest) {
    const times = `${ms(result.pipelineMs)} against ${ms(result.qpdfMs ?? 0)}`
    say(`  ${fixed(ratio(result))}  ${times}  ${result.inputBytes} bytes  ${result.name}`)
  }
}

function reportParts(results: readonly Result[]): void {
  const names = ['(hash, read)', ...pipelineStages, '(write the file)']
  const sums = names.map((_, part) => sum(results.map(({ parts }) => parts[part] ?? 0)))
  say('')
  say('where the time goes (sum of the medians):')
  for (const [part, name] of names.entries()) {
    const share = (100 * (sums[part] ?? 0)) / sum(sums)
    say(
      `  ${name.padEnd(26)} ${ms(sums[part] ?? 0).padStart(12)}  ${share.toFixed(1).padStart(5)} %`,
    )
  }
}

function ratio({ pipelineMs, qpdfMs }: Result): number {
  return pipelineMs / (qpdfMs ?? Infinity)
}

function distribution(times: readonly number[]): string {
  return `median ${ms(median(times))}, p95 ${ms(quantile(times, 0.95))}, sum ${ms(sum(times))}`
}

function perSecond(times: readonly number[]): string {
  return `${((1_000 * times.length) / sum(times)).toFixed(1)} documents/s`
}

function median(numbers: readonly number[]): number {
  return quantile(numbers, 0.5)
}

function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function ms(value: number): string {
  return `${value.toFixed(value < 100 ? 2 : 0)} ms`
}

function fixed(value: number): string {
  return value.toFixed(3)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
