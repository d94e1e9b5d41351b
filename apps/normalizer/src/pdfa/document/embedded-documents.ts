import { createHash } from 'node:crypto'
import { catalogXmp } from '../../pdf/catalog.ts'
import { pdfaClaim } from '../../pdf/metadata/pdfa-claim.ts'
import type { PdfFile } from '../../pdf/pdf-file.ts'
import {
  defaultReadLimits,
  MalformedPdfError,
  ResourceLimitError,
} from '../../pdf/reading/read-limits.ts'
import { readPdf } from '../../pdf/reading/read-pdf.ts'
import { type Flavour, flavourOfClaim, type Part } from '../flavour.ts'

/** Documents within documents within documents: more than anybody nests. */
const maxDepth = 16

/** The PDF files that a document carries, and those that these carry, each validated once. */
export class EmbeddedDocuments {
  readonly #validate: (file: PdfFile, flavour: Flavour) => boolean
  /** By SHA-256. One that is just being validated counts as compliant, so that a file may carry itself. */
  readonly #verdicts = new Map<string, boolean>()
  #depth = 0
  #remainingBytes = defaultReadLimits.maxExpandedBytes

  /** @param validate whether a file complies; what it embeds is asked of these documents again */
  constructor(validate: (file: PdfFile, flavour: Flavour) => boolean) {
    this.#validate = validate
  }

  /**
   * Whether the bytes are a file that claims one of these parts, and complies with it at its lowest level.
   *
   * @throws {ResourceLimitError} when the documents are more, or deeper, than one document is worth
   */
  complies(bytes: Uint8Array, parts: readonly Part[]): boolean {
    const key = `${parts.join()} ${createHash('sha256').update(bytes).digest('base64')}`
    const known = this.#verdicts.get(key)
    if (known !== undefined) return known
    this.#remainingBytes -= bytes.length
    if (this.#depth === maxDepth || this.#remainingBytes < 0) {
      throw new ResourceLimitError('More documents are embedded in each other than are validated')
    }
    this.#verdicts.set(key, true)
    this.#depth++
    const verdict = this.#judge(bytes, parts)
    this.#depth--
    this.#verdicts.set(key, verdict)
    return verdict
  }

  #judge(bytes: Uint8Array, parts: readonly Part[]): boolean {
    const file = readEmbedded(bytes)
    const claim = file && pdfaClaim(catalogXmp(file.graph) ?? [])
    if (!claim || !parts.includes(claim.part)) return false
    return this.#validate(file, flavourOfClaim({ part: claim.part, level: `${claim.part}` }))
  }
}

/** null for what is no PDF, and for one that may not be read. */
function readEmbedded(bytes: Uint8Array): PdfFile | null {
  try {
    return readPdf(bytes)
  } catch (error) {
    if (error instanceof MalformedPdfError || error instanceof ResourceLimitError) return null
    throw error
  }
}
