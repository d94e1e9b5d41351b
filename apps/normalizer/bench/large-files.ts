import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { normalize } from '../src/normalize.ts'
import { paceHeapGrowth } from '../src/worker/heap-growth.ts'
import { warmUp } from '../src/worker/warm-up.ts'
import { nodeEnvironment, nodeOptions } from '../src/worker/worker-process.ts'
import { corpusFiles, readCorpusFile } from '../test/corpus-files.ts'
import { largeKinds } from './large-documents.ts'

/**
 * Processor time and peak memory over size and number of objects: of files built here and of the corpus's large ones,
 * where it stands beside the repository. Each document has a process of its own, set up and warmed up as a worker of
 * the pool is, so that the peak is its own; what the process takes without it is told apart. Time is of the processor,
 * all threads together: that of the clock tells how busy the machine was.
 */
const [given] = process.argv.slice(2)
if (given === undefined) measureAll()
else await measureOne(given)

interface Figures {
  /** Resident memory before the document, and the most until the end; bytes. */
  readonly idleBytes: number
  readonly peakBytes: number
  readonly processorMs: number
  readonly result: string
}

async function measureOne(path: string): Promise<void> {
  await warmUp()
  globalThis.gc?.()
  const idleBytes = process.memoryUsage.rss()
  const bytes = new Uint8Array(readFileSync(path))
  const before = process.cpuUsage()
  paceHeapGrowth(bytes.byteLength)
  const outcome = await normalize(bytes)
  const { user, system } = process.cpuUsage(before)
  const figures: Figures = {
    idleBytes,
    peakBytes: peakResidentBytes(),
    processorMs: (user + system) / 1_000,
    result: outcome.kind === 'normalized' ? 'normalized' : outcome.failure.code,
  }
  process.stdout.write(JSON.stringify(figures))
}

/**
 * What `getrusage` tells may be the peak of the process that started this one: Linux carries it over from before the
 * program was replaced. What `/proc` tells is this program's.
 */
function peakResidentBytes(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  if (kibibytes === undefined) throw new Error('the peak of resident memory is not told')
  return Number(kibibytes) * 1024
}

function measureAll(): void {
  const folder = mkdtempSync(join(tmpdir(), 'pdfnorm-large-'))
  try {
    say('large files, each in a process of its own that is warm:')
    say(
      `  ${columns(['file', 'MB', 'objects', 'cpu s', 'µs/object', 'peak/file', 'peak MB', 'idle MB'])}`,
    )
    for (const kind of largeKinds) {
      const times: number[] = []
      for (const size of kind.sizes) {
        const bytes = kind.build(size)
        const figures = measureInProcess(folder, bytes)
        times.push(figures.processorMs / kind.objects(size))
        sayRow(`${size} ${kind.name}`, bytes.length, kind.objects(size), figures)
      }
      const [first = 0] = times
      const growth = (times.at(-1) ?? 0) / first
      say(`  ${''.padEnd(38)} time for an object, largest against smallest: ${growth.toFixed(2)}`)
    }
    const large = corpusFiles.filter(({ category }) => category === 'large')
    if (large.length === 0) say('  no large files of the corpus: it does not stand beside')
    for (const entry of large) {
      const bytes = readCorpusFile(entry)
      sayRow(entry.file, bytes.length, null, measureInProcess(folder, bytes))
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function measureInProcess(folder: string, bytes: Uint8Array): Figures {
  const path = join(folder, 'input.pdf')
  writeFileSync(path, bytes)
  const script = fileURLToPath(import.meta.url)
  const run = spawnSync(process.execPath, [...nodeOptions, script, path], {
    encoding: 'utf8',
    env: nodeEnvironment,
  })
  if (run.status !== 0) throw new Error(run.stderr)
  return JSON.parse(run.stdout) as Figures
}

function sayRow(name: string, size: number, objects: number | null, figures: Figures): void {
  const { idleBytes, peakBytes, processorMs, result } = figures
  const mega = (value: number): string => (value / 1e6).toFixed(1)
  const row = [
    name.slice(-42),
    mega(size),
    objects === null ? '' : `${objects}`,
    (processorMs / 1000).toFixed(2),
    objects === null ? '' : ((1_000 * processorMs) / objects).toFixed(1),
    ((peakBytes - idleBytes) / size).toFixed(2),
    mega(peakBytes),
    mega(idleBytes),
  ]
  say(`  ${columns(row)}${result === 'normalized' ? '' : `  ${result}`}`)
}

function columns([first = '', ...rest]: readonly string[]): string {
  return first.padEnd(44) + rest.map((cell) => cell.padStart(10)).join('')
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
