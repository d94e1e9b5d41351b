import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { decodeStreamPartly } from '../src/pdf/filter/decode-stream.ts'
import { catalogXmp } from '../src/pdf/catalog.ts'
import { ContentScanner } from '../src/pdf/content/content-scanner.ts'
import { isName, type PdfDictionary, type PdfObject, PdfStream } from '../src/pdf/object.ts'
import type { ObjectGraph } from '../src/pdf/object-graph.ts'
import { listPages } from '../src/pdf/page-tree.ts'
import type { PdfFile } from '../src/pdf/pdf-file.ts'
import { readPdf } from '../src/pdf/reading/read-pdf.ts'
import { validatePdfa } from '../src/pdfa/validate-pdfa.ts'
import { table } from '../trial/table.ts'
import { largeDocuments, type PdfaBenchDocument, suiteDocuments } from './pdfa-documents.ts'

/**
 * Validation beside parsing, over the same files in turns: processor time of this one process, the least of the rounds.
 * A file is parsed when each of its objects is read, each stream decoded, and the content of pages and forms gone
 * through operator by operator: nothing is read of fonts, colours and metadata, which validation reads on top. The
 * first column has the objects alone, and the last adds the XMP of the catalog, which the pipeline reads of every document to
 * see whether it claims anything. The process is as warm as a worker that has been at work for a while; what the
 * first documents of a new one take is told besides. With VERAPDF=/path/to/verapdf, also what veraPDF says that it takes
 * for a file once it runs.
 */
const { values } = parseArgs({
  options: {
    limit: { type: 'string', default: '150' },
    rounds: { type: 'string', default: '5' },
  },
})

/** Processor time in milliseconds; validation is of a file that was read, as the pipeline has it. */
interface Times {
  readonly objects: number
  readonly parse: number
  readonly xmp: number
  readonly validate: number
}

interface Result extends Times {
  readonly document: PdfaBenchDocument
}

/** The engine compiles what has run some thousand times for good. */
const warmUpRounds = 40

bench(Number(values.rounds), process.env['VERAPDF'] ?? '')

function bench(rounds: number, verapdf: string): void {
  const suites = suiteDocuments(Number(values.limit))
  const large = largeDocuments()
  say(`${suites.length} documents of the suites, ${large.length} larger ones; ${rounds} rounds`)
  say(`node ${process.versions.node}, ${cpus()[0]?.model ?? 'unknown CPU'}, one thread`)
  if (suites.length === 0) say('the corpus is not there: only the larger ones, built in code')

  // What the first runs compile and load is not what a running service pays: workers live long.
  const first = suites.map(measure)
  for (let round = 1; round < warmUpRounds; round += 1) suites.map(measure)
  // So short a time is told by many attempts only.
  const ofSuites = leastOf(rounds * 4, suites)
  const ofLarge = leastOf(rounds, large)
  say('')
  say(
    table([
      ['document', 'bytes', 'objects', 'parse', 'validate', 'to objects', 'to parse', 'and XMP'],
      ...(suites.length === 0
        ? []
        : [row('suites, in sum', ofSuites), row('suites, first of a process', first)]),
      ...ofLarge.map((result) => row(result.document.name, [result])),
      row('all, in sum', [...ofSuites, ...ofLarge]),
    ]),
  )
  say('(milliseconds of the processor; bytes in sum)')
  if (suites.length > 0) reportSlowest(ofSuites)
  if (verapdf === '') say('not compared with veraPDF, for VERAPDF does not name its program')
  else compareWithVerapdf(verapdf, [...ofSuites, ...ofLarge])
}

function leastOf(rounds: number, documents: readonly PdfaBenchDocument[]): Result[] {
  const results = new Map<PdfaBenchDocument, Result>()
  for (let round = 0; round < rounds; round += 1) {
    for (const document of documents) {
      const times = measure(document)
      const least = results.get(document) ?? times
      results.set(document, {
        document,
        objects: Math.min(least.objects, times.objects),
        parse: Math.min(least.parse, times.parse),
        xmp: Math.min(least.xmp, times.xmp),
        validate: Math.min(least.validate, times.validate),
      })
    }
  }
  return [...results.values()]
}

/** Each thing is done once in a turn, as a worker does it: what is done again is faster, for the engine and the caches know it. */
function measure(document: PdfaBenchDocument): Result {
  const { bytes, flavour } = document
  const [file, objects] = timed(() => readObjects(bytes))
  const [, streams] = timed(() => readStreams(file))
  const [, xmp] = timed(() => catalogXmp(file.graph))
  const [, validate] = timed(() => validatePdfa(file, flavour))
  return { document, objects, parse: objects + streams, xmp, validate }
}

function readObjects(bytes: Uint8Array): PdfFile {
  const file = readPdf(bytes)
  for (const number of file.graph.numbers()) file.graph.get(number)
  return file
}

function readStreams({ graph }: PdfFile): void {
  const scanner = new ContentScanner()
  const contents = new Set(
    listPages(graph).flatMap(({ dictionary }) => contentOf(graph, dictionary)),
  )
  for (const number of graph.numbers()) {
    const object = graph.get(number)
    if (!(object instanceof PdfStream)) continue
    const { bytes, remainingFilters } = decodeStreamPartly(graph, object)
    const isForm = isName(graph.resolve(object.dictionary.get('Subtype')), 'Form')
    if (remainingFilters.length > 0 || !(isForm || contents.has(object))) continue
    scanner.open(bytes)
    while (scanner.next() !== 0);
  }
}

function contentOf(graph: ObjectGraph, page: PdfDictionary): PdfObject[] {
  const contents = graph.resolve(page.get('Contents'))
  return (Array.isArray(contents) ? contents : [contents]).map((part) => graph.resolve(part))
}

function timed<Value>(work: () => Value): [value: Value, processorMs: number] {
  const before = process.cpuUsage()
  const value = work()
  const { user, system } = process.cpuUsage(before)
  return [value, (user + system) / 1_000]
}

function row(name: string, results: readonly Result[]): (string | number)[] {
  const objects = sum(results.map((result) => result.objects))
  const parse = sum(results.map((result) => result.parse))
  const withXmp = parse + sum(results.map((result) => result.xmp))
  const validate = sum(results.map((result) => result.validate))
  return [
    name,
    sum(results.map(({ document }) => document.bytes.length)),
    ...[objects, parse, validate].map((time) => time.toFixed(1)),
    ...[validate / objects, validate / parse, validate / withXmp].map((share) => share.toFixed(2)),
  ]
}

function reportSlowest(results: readonly Result[]): void {
  const sorted = results.toSorted((one, other) => toParse(other) - toParse(one))
  const withXmp = sorted.map(({ validate, parse, xmp }) => validate / (parse + xmp))
  say('')
  say(
    `to parse, by document of the suites: median ${median(sorted.map(toParse)).toFixed(2)}, ` +
      `and XMP ${median(withXmp).toFixed(2)}`,
  )
  for (const result of sorted.slice(0, 5)) {
    const times = `${result.validate.toFixed(2)} against ${result.parse.toFixed(2)} ms`
    say(`  ${toParse(result).toFixed(2)}  ${times}  ${result.document.name}`)
  }
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[numbers.length >> 1] ?? 0
}

function toParse({ validate, parse }: Times): number {
  return validate / parse
}

function compareWithVerapdf(executable: string, results: readonly Result[]): void {
  const folder = mkdtempSync(join(tmpdir(), 'pdfnorm-bench-'))
  try {
    let theirs = 0
    for (const [flavour, some] of Map.groupBy(results, ({ document }) => document.flavour)) {
      const names = some.map(({ document }, index) => {
        const name = join(folder, `${flavour}-${index}.pdf`)
        writeFileSync(name, document.bytes)
        return name
      })
      const options = ['--format', 'json', '--loglevel', '0', '--flavour', flavour]
      const run = spawnSync(executable, [...options, ...names], {
        encoding: 'utf8',
        maxBuffer: 1 << 29,
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      if (run.error) throw run.error
      const times = run.stdout.matchAll(/"processingTime":\{[^}]*"difference":(\d+)/g)
      theirs += sum([...times].map(([, difference]) => Number(difference)))
    }
    const ours = sum(results.map(({ validate }) => validate))
    const ratio = (theirs / ours).toFixed(0)
    say(`veraPDF says that it takes ${theirs} ms for all, beside its start; ${ratio} times ours`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
