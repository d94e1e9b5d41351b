import { createReadStream } from 'node:fs'
import { mkdir, stat, writeFile } from 'node:fs/promises'
import type {
  CompletedSubmission,
  NormalizeOptions,
  Pdfnorm,
  PdfSource,
  SucceededSubmission,
} from '../index.ts'
import { clientFor, readConfiguration } from './configuration.ts'
import { type ExitCode, exitCodeOf, exitCodes, gravest } from './exit-codes.ts'
import { outputPaths, standardStream } from './output-paths.ts'
import { parseCommand, wholeNumber } from './parse-command.ts'
import { submissionFacts, submissionText } from './submission-text.ts'
import { errorFacts, errorText, type Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

interface Work {
  readonly pdfnorm: Pdfnorm
  readonly terminal: Terminal
  readonly options: NormalizeOptions
  readonly deadlineMs: number
  readonly withCertificate: boolean
  readonly json: boolean
  readonly quiet: boolean
  readonly outputOf: (input: string) => string
}

/** `pdfnorm normalize in.pdf … [-o out.pdf | -d folder]` */
export async function normalizeCommand(
  args: readonly string[],
  terminal: Terminal,
): Promise<ExitCode> {
  const { values, positionals } = parseCommand(args, {
    output: { type: 'string', short: 'o' },
    'output-dir': { type: 'string', short: 'd' },
    certificate: { type: 'boolean', default: false },
    'no-linearize': { type: 'boolean', default: false },
    'remove-annotations': { type: 'boolean', default: false },
    'signed-pdf-policy': { type: 'string' },
    'pdfa-policy': { type: 'string' },
    region: { type: 'string' },
    'batch-id': { type: 'string' },
    'webhook-url': { type: 'string' },
    'idempotency-key': { type: 'string' },
    concurrency: { type: 'string', default: '4' },
    timeout: { type: 'string', default: '600' },
    'base-url': { type: 'string' },
    json: { type: 'boolean', default: false },
    quiet: { type: 'boolean', short: 'q', default: false },
  })
  if (positionals.length === 0) throw new UsageError('Which PDF? pdfnorm normalize in.pdf')
  const single = positionals.length === 1
  if (!single && (values.output !== undefined || values['idempotency-key'] !== undefined)) {
    throw new UsageError('--output and --idempotency-key are for one file; use --output-dir')
  }
  const work: Work = {
    pdfnorm: clientFor(await readConfiguration(terminal, values)),
    terminal,
    options: {
      ...(values['no-linearize'] ? { linearize: false } : {}),
      ...(values['remove-annotations'] ? { remove_annotations: true } : {}),
      ...optional('signed_pdf_policy', oneOf(values, 'signed-pdf-policy', signedPdfPolicies)),
      ...optional('pdfa_policy', oneOf(values, 'pdfa-policy', pdfaPolicies)),
      ...optional('region', oneOf(values, 'region', regions)),
      ...optional('batch_id', values['batch-id']),
      ...optional('webhook_url', values['webhook-url']),
      ...optional('idempotency_key', values['idempotency-key']),
    },
    deadlineMs: wholeNumber('--timeout', values.timeout) * 1000,
    withCertificate: values.certificate,
    json: values.json,
    quiet: values.quiet,
    outputOf: outputPaths(positionals, values),
  }
  if (values['output-dir'] !== undefined) await mkdir(values['output-dir'], { recursive: true })
  return normalizeAll(positionals, wholeNumber('--concurrency', values.concurrency), work)
}

const signedPdfPolicies = ['reject', 'strip', 'preserve'] as const
const pdfaPolicies = ['preserve', 'normalize_anyway'] as const
const regions = ['ca-central-1', 'us-east-2', 'eu-central-1'] as const

/** What would be refused for one file is refused for the next: then no further ones are sent. */
const endsAll: ReadonlySet<ExitCode> = new Set([exitCodes.notAllowed, exitCodes.quotaExceeded])

async function normalizeAll(
  inputs: readonly string[],
  concurrency: number,
  work: Work,
): Promise<ExitCode> {
  const codes: ExitCode[] = []
  const waiting = [...inputs]
  const next = async (): Promise<void> => {
    for (let input = waiting.shift(); input !== undefined; input = waiting.shift()) {
      const code = await normalizeOne(input, progressOf(input, inputs.length, codes, work), work)
      codes.push(code)
      if (endsAll.has(code) || work.terminal.signal.aborted) break
    }
    if (codes.some((code) => endsAll.has(code))) waiting.length = 0
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, inputs.length) }, next))
  work.terminal.showProgress(null)
  const notSent = inputs.length - codes.length
  if (notSent > 0) work.terminal.tell(`${notSent} of ${inputs.length} files were not sent`)
  return work.terminal.signal.aborted ? exitCodes.interrupted : gravest(codes)
}

async function normalizeOne(
  input: string,
  progress: (text: string) => void,
  { pdfnorm, terminal, options, deadlineMs, ...work }: Work,
): Promise<ExitCode> {
  const { signal } = terminal
  const output = work.outputOf(input)
  // Standard output is the file's then.
  const tell = (text: string) =>
    output === standardStream ? terminal.tell(text) : terminal.print(text)
  try {
    const source = await sourceOf(input, progress)
    const submission = await pdfnorm.normalizeAndWait(source, {
      ...options,
      deadlineMs,
      signal,
      onLook: ({ status }) =>
        progress(status === 'PENDING' ? 'waiting for its turn' : 'normalizing'),
    })
    if (submission.status === 'SUCCESS') {
      progress('downloading')
      await save(pdfnorm, submission, output, signal)
      if (work.withCertificate) await saveCertificate(pdfnorm, submission, output, signal)
    }
    if (work.json) tell(JSON.stringify({ input, ...submissionFacts(submission, output) }))
    else if (!work.quiet || submission.status !== 'SUCCESS')
      tell(submissionText(input, submission, output))
    return exitCodeFor(submission)
  } catch (error) {
    if (signal.aborted) return exitCodes.interrupted
    if (work.json) tell(JSON.stringify({ input, status: 'ERROR', error: errorFacts(error) }))
    else terminal.tell(errorText(error, input))
    return exitCodeOf(error)
  }
}

async function save(
  pdfnorm: Pdfnorm,
  { outputHash }: SucceededSubmission,
  output: string,
  signal: AbortSignal,
): Promise<void> {
  const download = pdfnorm.downloadArtifact(outputHash, { signal })
  if (output !== standardStream) return download.toFile(output)
  // Who reads a pipe cannot give a byte back: nothing is written before all of it is known to be right.
  const bytes = await download.bytes()
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()))
  })
}

async function saveCertificate(
  pdfnorm: Pdfnorm,
  { outputHash }: SucceededSubmission,
  output: string,
  signal: AbortSignal,
): Promise<void> {
  if (output === standardStream) return
  await writeFile(`${output}.jws`, await pdfnorm.getCertificate(outputHash, { signal }))
}

/** A file can be opened again for a second attempt; what comes through a pipe is gone. */
async function sourceOf(input: string, progress: (text: string) => void): Promise<PdfSource> {
  if (input === standardStream) {
    progress('uploading')
    return process.stdin
  }
  const { size } = await stat(input)
  return () => counted(createReadStream(input), size, progress)
}

async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  size: number,
  progress: (text: string) => void,
): AsyncGenerator<Uint8Array> {
  let sent = 0
  for await (const chunk of chunks) {
    sent += chunk.length
    progress(`uploading ${Math.floor((100 * sent) / Math.max(size, sent))} %`)
    yield chunk
  }
  progress('normalizing')
}

function progressOf(
  input: string,
  count: number,
  done: readonly ExitCode[],
  { terminal, quiet }: Work,
): (text: string) => void {
  return (text) => {
    const place = count === 1 ? '' : `[${done.length + 1}/${count}] `
    if (!quiet) terminal.showProgress(`${place}${input}: ${text}`)
  }
}

function exitCodeFor({ status }: CompletedSubmission): ExitCode {
  if (status === 'SUCCESS') return exitCodes.done
  return status === 'REJECTED' ? exitCodes.rejected : exitCodes.failed
}

function optional<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): Partial<Record<Name, Value>> {
  return value === undefined ? {} : ({ [name]: value } as Record<Name, Value>)
}

function oneOf<Name extends string, const Value extends string>(
  values: Readonly<Partial<Record<Name, string | undefined>>>,
  name: Name,
  allowed: readonly Value[],
): Value | undefined {
  const given = values[name]
  if (given === undefined) return undefined
  const found = allowed.find((value) => value === given)
  if (found === undefined) throw new UsageError(`--${name} is one of ${allowed.join(', ')}`)
  return found
}
