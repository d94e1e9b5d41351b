import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { catalogXmp } from '../pdf/catalog.ts'
import { pdfaClaim } from '../pdf/metadata/pdfa-claim.ts'
import type { PdfFile } from '../pdf/pdf-file.ts'
import { MalformedPdfError, ResourceLimitError } from '../pdf/reading/read-limits.ts'
import { readPdf } from '../pdf/reading/read-pdf.ts'
import { type Flavour, flavourOfClaim } from '../pdfa/flavour.ts'
import { validatePdfa } from '../pdfa/validate-pdfa.ts'
import { reasonOf } from './reason-of.ts'
import { UsageError } from './usage-error.ts'

export interface FilesToValidate {
  /** Paths; `-` for standard input. */
  readonly files: readonly string[]
  /** null: each is held against what it claims to be. */
  readonly flavour: Flavour | null
  readonly ndjson: boolean
}

/** What is printed of one file, with `--ndjson` as it is. */
interface FileVerdict {
  readonly file: string
  /** What it was held against; null when it was not. */
  readonly flavour: Flavour | null
  readonly compliant: boolean
  /** Rules that do not hold; of a file that was not held against any, why. */
  readonly errors: readonly string[]
}

/**
 * Holds files against PDF/A, one after the other, and prints what was found in the order given. A file that cannot be
 * judged does not stop the others. This process is enough: the limits of the reader bound the memory and the time that
 * a document takes, and a process for each would take longer to start than to validate.
 *
 * @returns whether all of them comply
 * @throws {UsageError} when there are no files
 */
export async function validateFiles({ files, flavour, ndjson }: FilesToValidate): Promise<boolean> {
  if (files.length === 0) throw new UsageError('name a PDF file, or see pdfa --help')
  if (files.filter((file) => file === '-').length > 1) {
    throw new UsageError('standard input can be read only once')
  }
  let allComply = true
  for (const file of files) {
    const verdict = await validateFile(file, flavour)
    allComply &&= verdict.compliant
    process.stdout.write(ndjson ? `${JSON.stringify(verdict)}\n` : spoken(verdict))
  }
  return allComply
}

async function validateFile(file: string, asked: Flavour | null): Promise<FileVerdict> {
  const unjudged = (reason: string): FileVerdict => {
    return { file, flavour: null, compliant: false, errors: [reason] }
  }
  try {
    const pdf = readPdf(file === '-' ? await buffer(process.stdin) : await readFile(file))
    const flavour = asked ?? claimedFlavour(pdf)
    if (flavour === null) return unjudged(pdf.encrypted ? encryptedClaim : noClaim)
    const { compliant, errors, fault } = validatePdfa(pdf, flavour)
    if (fault !== undefined) process.stderr.write(`${file}: ${fault}\n`)
    return { file, flavour, compliant, errors }
  } catch (error) {
    return unjudged(unreadableBecause(error))
  }
}

const noClaim = 'The document does not claim to be PDF/A; name a flavour to hold it against.'
const encryptedClaim = 'The document is encrypted; what it claims to be cannot be read.'

function claimedFlavour(file: PdfFile): Flavour | null {
  const claim = pdfaClaim(catalogXmp(file.graph) ?? [])
  return claim && flavourOfClaim(claim)
}

function unreadableBecause(error: unknown): string {
  const reason = reasonOf(error)
  if (error instanceof MalformedPdfError) return `The file is no readable PDF: ${reason}.`
  if (error instanceof ResourceLimitError) return `${reason}.`
  return `The file cannot be read: ${reason}.`
}

function spoken({ file, flavour, compliant, errors }: FileVerdict): string {
  const verdict =
    flavour === null
      ? 'not validated'
      : `${compliant ? 'complies' : 'does not comply'} with PDF/A-${flavour}`
  return [`${file}: ${verdict}\n`, ...errors.map((error) => `  ${error}\n`)].join('')
}
