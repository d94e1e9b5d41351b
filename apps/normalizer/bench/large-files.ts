import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { normalize } from '../src/normalize.ts'
import { writePdf } from '../src/pdf/writing/writer.ts'
import { corpusFiles, readCorpusFile } from '../test/corpus-files.ts'
import { dictionary, name, stream } from '../test/memory-graph.ts'
import { pageDocument } from '../test/page-document.ts'
import type { BenchDocument } from './bench-documents.ts'

/**
 * Time and peak memory over size and number of objects: of files built here and of the corpus's large ones, where it
 * stands beside the repository. Each document has a process of its own, so that the peak is its own; what the
 * process takes for a document of one page is told apart.
 */
const [given] = process.argv.slice(2)
if (given === undefined) measureAll()
else await measureOne(given)

interface Figures {
  /** Resident memory after a document of one page, and the most until the end; bytes. */
  readonly idleBytes: number
  readonly peakBytes: number
  readonly ms: number
  readonly result: string
}

async function measureOne(path: string): Promise<void> {
  await normalize(build(1))
  const idleBytes = process.memoryUsage.rss()
  const bytes = new Uint8Array(readFileSync(path))
  const startedAt = performance.now()
  const outcome = await normalize(bytes)
  const figures: Figures = {
    idleBytes,
    peakBytes: process.resourceUsage().maxRSS * 1024,
    ms: performance.now() - startedAt,
    result: outcome.kind === 'normalized' ? 'normalized' : outcome.failure.code,
  }
  process.stdout.write(JSON.stringify(figures))
}

function measureAll(): void {
  const folder = mkdtempSync(join(tmpdir(), 'pdfnorm-large-'))
  try {
    say('large files, each in a process of its own that has just normalized one page:')
    say(
      `  ${columns(['file', 'MB', 'objects', 's', 'µs/object', 'peak/file', 'peak MB', 'idle MB'])}`,
    )
    for (const document of largeDocuments()) {
      const path = join(folder, 'input.pdf')
      writeFileSync(path, document.bytes)
      const run = spawnSync(process.execPath, [fileURLToPath(import.meta.url), path], {
        encoding: 'utf8',
      })
      if (run.status !== 0) throw new Error(`${document.name}: ${run.stderr}`)
      sayRow(document, JSON.parse(run.stdout) as Figures)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

interface LargeDocument extends BenchDocument {
  /** null where it is not known without reading the file. */
  readonly objects: number | null
}

function* largeDocuments(): Generator<LargeDocument> {
  for (const pages of [2_500, 5_000, 10_000, 20_000, 40_000]) {
    yield { name: `${pages} pages of text`, bytes: build(pages), objects: 2 * pages + 5 }
  }
  for (const images of [12, 24, 48, 96]) {
    const bytes = build(images, 1024 * 1024)
    yield { name: `${images} images of 1 MiB`, bytes, objects: 3 * images + 5 }
  }
  for (const entry of corpusFiles.filter(({ category }) => category === 'large')) {
    yield { name: entry.file, bytes: readCorpusFile(entry), objects: null }
  }
}

/** Pages of text and, if wanted, each with an image of data that does not compress. */
function build(pages: number, imageBytes = 0): Uint8Array {
  const graph = pageDocument(pages, ({ graph, pages }) => {
    if (imageBytes === 0) return
    for (const [index, page] of pages.entries()) {
      const shape = {
        Width: imageBytes,
        Height: 1,
        BitsPerComponent: 8,
        ColorSpace: name('DeviceGray'),
      }
      const entries = { Type: name('XObject'), Subtype: name('Image'), ...shape }
      const image = graph.add(stream({ ...entries, Filter: name('DCTDecode') }, ''))
      const written = graph.get(image.number)
      if (typeof written === 'object' && written !== null && 'data' in written) {
        written.data = noise(imageBytes, index)
      }
      page.set('Resources', dictionary({ XObject: dictionary({ Im: image }) }))
    }
  })
  return writePdf(graph, { linearize: false, objectStreams: false, version: '1.7' })
}

/** The same on every run. */
function noise(length: number, seed: number): Uint8Array {
  return createHash('shake256', { outputLength: length }).update(`${seed}`).digest()
}

function sayRow({ name, bytes, objects }: LargeDocument, figures: Figures): void {
  const { idleBytes, peakBytes, ms, result } = figures
  const mega = (value: number): string => (value / 1e6).toFixed(1)
  const row = [
    name.slice(-28),
    mega(bytes.length),
    objects === null ? '' : `${objects}`,
    (ms / 1000).toFixed(2),
    objects === null ? '' : ((1_000 * ms) / objects).toFixed(1),
    ((peakBytes - idleBytes) / bytes.length).toFixed(2),
    mega(peakBytes),
    mega(idleBytes),
  ]
  say(`  ${columns(row)}${result === 'normalized' ? '' : `  ${result}`}`)
}

function columns([first = '', ...rest]: readonly string[]): string {
  return first.padEnd(30) + rest.map((cell) => cell.padStart(10)).join('')
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
