import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pLimit from 'p-limit'
import { Piscina } from 'piscina'
import { openCorpus } from '../test/corpus-files.ts'
import { progressOf } from '../trial/progress.ts'
import { createWatchedPool } from '../trial/watched-pool.ts'
import { type ComparedFile, compareFile } from './compare-file.ts'
import type { Comparison, ComparisonTask } from './compare-worker.ts'
import { comparisonText, hasUnexplained } from './comparison-report.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    corpus: { type: 'string' },
    /** Only files whose name or category has this text. */
    only: { type: 'string' },
    /** Of each document at most so many. */
    pages: { type: 'string', default: '20' },
    /** Where pictures of differing pages go: before, after, difference. */
    pictures: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})

/** For one document: pages that last for ever are no difference. */
const renderingMs = 60_000

const files = listFiles()
if (files.length === 0) {
  process.stderr.write('compare-pages: name PDF files, or the folder of a corpus with --corpus\n')
  process.exitCode = 2
} else {
  if (values.pictures !== undefined) await mkdir(values.pictures, { recursive: true })
  const compared = await compareAll()
  const text = values.json ? JSON.stringify(compared, null, 2) : comparisonText(compared)
  process.stdout.write(`${text}\n`)
  process.exitCode = hasUnexplained(compared) ? 1 : 0
}

interface ListedFile {
  readonly name: string
  readonly read: () => Promise<Uint8Array>
}

function listFiles(): ListedFile[] {
  if (positionals.length > 0) {
    return positionals.map((name) => ({ name, read: async () => readFile(name) }))
  }
  const corpus = openCorpus(values.corpus)
  const { only } = values
  return (corpus?.files ?? [])
    .filter(({ file, category }) => only === undefined || `${file} ${category}`.includes(only))
    .map((file) => ({ name: file.file, read: async () => corpus?.read(file) ?? new Uint8Array() }))
}

async function compareAll(): Promise<ComparedFile[]> {
  const pool = createWatchedPool()
  const renderers = new Piscina<ComparisonTask, Comparison>({
    filename: new URL('./compare-worker.ts', import.meta.url).href,
    maxThreads: pool.threads,
  })
  renderers.on('error', () => {})
  const progress = progressOf(files.length)
  try {
    return await pLimit(pool.threads).map(files, async ({ name, read }) => {
      const how = { maxPages: Number(values.pages), pictures: picturesOf(name) }
      const compared = await compareFile(pool, renderWith(renderers), name, await read(), how)
      progress.step()
      return compared
    })
  } finally {
    progress.end()
    await pool.close()
    await renderers.close({ force: true })
  }
}

function picturesOf(name: string): string | null {
  return values.pictures === undefined
    ? null
    : join(values.pictures, name.replaceAll(/[^\w.-]/g, '_'))
}

function renderWith(renderers: Piscina<ComparisonTask, Comparison>) {
  return async (task: ComparisonTask): Promise<Comparison> => {
    try {
      return await renderers.run(task, {
        name: 'compareFiles',
        signal: AbortSignal.timeout(renderingMs),
      })
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      return { unable: `the renderer gave up: ${why}`, pages: 0, differences: [] }
    }
  }
}
