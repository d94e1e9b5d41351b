import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { defaultOptions, type NormalizeOptions } from '../options.ts'
import {
  defaultVerapdf,
  type GivenPdfaSettings,
  type PdfaSettings,
  PdfaSettingsError,
  pdfaValidatorKinds,
  readPdfaSettings,
} from '../pdfa/pdfa-settings.ts'
import {
  readTrustAnchors,
  TrustAnchorError,
  type TrustAnchors,
} from '../signature/trust-anchors.ts'
import { normalizeMany } from './normalize-many.ts'
import { normalizeOne } from './normalize-one.ts'
import { type Flavour, flavours } from '../pdfa/flavour.ts'
import { UsageError } from './usage-error.ts'
import { validateFiles } from './validate-files.ts'
import { removeUnfinishedWhenInterrupted } from './write-whole-file.ts'

/** What a script may rely on. */
const exitCodes = {
  done: 0,
  notNormalized: 1,
  notCompliant: 1,
  usage: 2,
  /** As a shell tells of a process that SIGPIPE ended. */
  readerGone: 141,
} as const

interface PdfaArguments {
  readonly flavour: Flavour | 'auto'
  readonly ndjson?: boolean
}

interface Arguments {
  readonly linearize: boolean
  readonly removeAnnotations: boolean
  readonly signedPdfPolicy: NormalizeOptions['signedPdfPolicy']
  readonly pdfaPolicy: NormalizeOptions['pdfaPolicy']
  readonly output?: string
  readonly outDir?: string
  readonly filesFrom?: string
  readonly ndjson?: boolean
  readonly json?: boolean
  readonly jobs?: number
  readonly trustAnchors?: string[]
  readonly timestampAnchors?: string[]
  readonly pdfaValidator: GivenPdfaSettings['validator']
  readonly verapdf: string
  readonly verapdfUrl?: string
  readonly verapdfTimeout: number
  readonly keepAssociatedFiles: boolean
}

/**
 * Runs `pdfnorm-normalize`.
 *
 * @param argv as in process.argv
 * @returns the exit code: 0 when every document was processed (with one FILE: when it was normalized; with pdfa: when
 *   each complies), 1 when the one FILE was rejected or failed (with pdfa: when one does not comply), 2 for bad usage
 */
export async function runCommandLine(argv: readonly string[]): Promise<number> {
  let exitCode: number = exitCodes.done
  const command = describeCommand((code) => {
    exitCode = code
  })
  removeUnfinishedWhenInterrupted()
  endWithReader(process.stdout)
  endWithReader(process.stderr)
  try {
    await command.parseAsync(argv.map(booleanAsSwitch))
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage
    if (error instanceof UsageError) {
      process.stderr.write(`pdfnorm-normalize: ${error.message}\n`)
      return exitCodes.usage
    }
    throw error
  }
}

/** Whoever read the output has gone, as `head` does when it has enough: there is nobody to go on for. */
function endWithReader(output: NodeJS.WriteStream): void {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit(exitCodes.readerGone)
  })
}

function describeCommand(end: (exitCode: number) => void): Command {
  const command = new Command('pdfnorm-normalize')
    .description('Normalize PDF files: repaired, without active content, one canonical file.')
    .argument('[FILE...]', 'PDF files; with -o exactly one, - for standard input')
    .option('-o, --output <OUT>', 'where to write the one normalized file, - for standard output')
    .option('--json', 'print the full result of the one file as JSON')
    .option('--ndjson', 'print one line of JSON for each file, in the order given')
    .option('--out-dir <DIR>', 'where to write the normalized files of --ndjson')
    .option('--files-from <LIST>', 'read file names from LIST, one a line, - for standard input')
    .option('--linearize', 'linearize the output', defaultOptions.linearize)
    .option('--no-linearize', 'do not linearize it')
    .option('--remove-annotations', 'remove all annotations', defaultOptions.removeAnnotations)
    .option('--no-remove-annotations', 'keep the annotations that are harmless')
    .addOption(
      new Option('--signed-pdf-policy <policy>', 'what to do with signed documents')
        .choices(['reject', 'strip', 'preserve'])
        .default(defaultOptions.signedPdfPolicy),
    )
    .addOption(
      new Option('--pdfa-policy <policy>', 'what to do with a claim of PDF/A')
        .choices(['preserve', 'normalize_anyway'])
        .default(defaultOptions.pdfaPolicy),
    )
    .addOption(
      new Option('--trust-anchors <PEM,...>', 'authorities that signers are judged by')
        .env('TRUST_ANCHORS')
        .argParser(commaList),
    )
    .addOption(
      new Option('--timestamp-anchors <PEM,...>', 'others for time-stamps')
        .env('TIMESTAMP_ANCHORS')
        .argParser(commaList),
    )
    .addOption(
      new Option('--pdfa-validator <validator>', 'who validates PDF/A')
        .choices(pdfaValidatorKinds)
        .env('PDFA_VALIDATOR')
        .default('internal'),
    )
    .addOption(
      new Option('--verapdf <PROGRAM>', 'for verapdf-cli')
        .env('VERAPDF_EXECUTABLE')
        .default(defaultVerapdf.executable),
    )
    .addOption(new Option('--verapdf-url <URL>', 'for verapdf-rest').env('VERAPDF_URL'))
    .addOption(
      new Option('--verapdf-timeout <seconds>', 'what veraPDF may take for one file')
        .argParser(positive)
        .default(defaultVerapdf.timeoutMs / 1_000),
    )
    .option(
      '--keep-associated-files',
      'keep harmless files that PDF/A-3 and PDF/A-4f documents associate with themselves',
      process.env['KEEP_ASSOCIATED_FILES_OF_PDFA3'] === 'true',
    )
    .option('--jobs <n>', 'documents at the same time (default: one for each processor)', positive)
    .addHelpText('after', examples)
    .showHelpAfterError('Try pdfnorm-normalize --help.')
    .exitOverride()
    .enablePositionalOptions()
    .helpCommand(false)
    .action(async (files: string[], given: Arguments) => end(await normalizeFiles(files, given)))
  command
    .command('pdfa')
    .description('Validate PDF files against PDF/A (ISO 19005); nothing is normalized.')
    .argument('[FILE...]', 'PDF files, - for standard input')
    .addOption(
      new Option('--flavour <flavour>', 'what to hold them against; auto: what each claims to be')
        .choices(['auto', ...flavours])
        .default('auto'),
    )
    .option('--ndjson', 'print one line of JSON for each file, in the order given')
    .addHelpText('after', pdfaExitCodes)
    .exitOverride()
    .action(async (files: string[], { flavour, ndjson = false }: PdfaArguments) => {
      const asked = flavour === 'auto' ? null : flavour
      const allComply = await validateFiles({ files, flavour: asked, ndjson })
      end(allComply ? exitCodes.done : exitCodes.notCompliant)
    })
  return command
}

const examples = `
Examples:
  pdfnorm-normalize in.pdf -o out.pdf
  pdfnorm-normalize --ndjson --out-dir normalized *.pdf > results.ndjson
  pdfnorm-normalize pdfa --flavour 2b in.pdf

Exit codes: 0 processed, 1 the one file was rejected or failed, 2 bad usage.`

const pdfaExitCodes = `
The validator is the one that is built in, whatever PDFA_VALIDATOR says: veraPDF has a command of its own.

Exit codes: 0 each file complies, 1 one does not or could not be validated, 2 bad usage.`

async function normalizeFiles(files: string[], given: Arguments): Promise<number> {
  const options: NormalizeOptions = {
    linearize: given.linearize,
    removeAnnotations: given.removeAnnotations,
    signedPdfPolicy: given.signedPdfPolicy,
    pdfaPolicy: given.pdfaPolicy,
  }
  const trustAnchors = trustAnchorsOf(given)
  const pdfaSettings = pdfaSettingsOf(given)
  if (given.ndjson) {
    if (given.output !== undefined) throw new UsageError('--ndjson writes to --out-dir, not to -o')
    await normalizeMany({
      files,
      filesFrom: given.filesFrom ?? null,
      outDir: given.outDir ?? null,
      options,
      jobs: given.jobs ?? null,
      trustAnchors,
      pdfaSettings,
    })
    return exitCodes.done
  }

  const [file] = files
  if (file === undefined) throw new UsageError('name a PDF file, or see --help')
  if (files.length > 1) throw new UsageError('more than one file needs --ndjson')
  if (given.filesFrom !== undefined || given.outDir !== undefined) {
    throw new UsageError('--files-from and --out-dir need --ndjson')
  }
  const normalized = await normalizeOne({
    file,
    output: given.output ?? null,
    options,
    json: given.json === true,
    trustAnchors,
    pdfaSettings,
  })
  return normalized ? exitCodes.done : exitCodes.notNormalized
}

/** `--linearize=false` and its like, as the interface spells booleans, become commander's switches. */
function booleanAsSwitch(argument: string): string {
  const given = /^--(linearize|remove-annotations)=(true|false|1|0)$/.exec(argument)
  if (!given) return argument
  const [, name, value] = given
  const on = value === 'true' || value === '1'
  return on ? `--${name}` : `--no-${name}`
}

function trustAnchorsOf({ trustAnchors, timestampAnchors }: Arguments): TrustAnchors | null {
  try {
    return readTrustAnchors(trustAnchors ?? [], timestampAnchors)
  } catch (error) {
    throw error instanceof TrustAnchorError ? new UsageError(error.message) : error
  }
}

function pdfaSettingsOf(given: Arguments): PdfaSettings {
  try {
    return readPdfaSettings(
      {
        validator: given.pdfaValidator,
        executable: given.verapdf,
        url: given.verapdfUrl,
        timeoutMs: given.verapdfTimeout * 1_000,
        keepAssociatedFiles: given.keepAssociatedFiles,
      },
      process.env,
    )
  } catch (error) {
    if (!(error instanceof PdfaSettingsError)) throw error
    throw new UsageError('--pdfa-validator verapdf-rest needs --verapdf-url')
  }
}

function commaList(value: string): string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

function positive(value: string): number {
  const number = Number(value)
  if (!Number.isInteger(number) || number < 1)
    throw new InvalidArgumentError('a whole number from 1')
  return number
}
