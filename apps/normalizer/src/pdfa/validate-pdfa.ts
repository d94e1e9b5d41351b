import { ContentBudgetError } from '../pdf/content/content-budget.ts'
import type { PdfFile } from '../pdf/pdf-file.ts'
import { ResourceLimitError } from '../pdf/reading/read-limits.ts'
import { ContentChecks } from './content/content-checks.ts'
import { checkDocument } from './document/check-document.ts'
import { maxTold } from './failures.ts'
import { EmbeddedDocuments } from './document/embedded-documents.ts'
import { assertAllPagesThere, LostPagesError } from './document/lost-pages.ts'
import { checkFile } from './file/check-file.ts'
import type { Flavour } from './flavour.ts'
import { FontChecks } from './font/font-checks.ts'
import { checkDocumentMetadata } from './metadata/check-document-metadata.ts'
import { Validation } from './validation.ts'

export interface PdfaVerdict {
  readonly flavour: Flavour
  /** Whether validation ran to its end; if not, `compliant` is false and the last error says why. */
  readonly completed: boolean
  readonly compliant: boolean
  /** `ISO 19005-2:2011 6.2.11.4.1 t1: … (object 12 0, page 3)`, sorted, at most 100. */
  readonly errors: readonly string[]
  /** The stack of an unexpected error, for logs only: it may name what stands in the document. */
  readonly fault?: string
}

/**
 * Holds a file against a flavour of PDF/A. It reaches what a viewer reaches, from the catalog through pages, content and
 * resources: a font that paints nothing and an image that is never drawn are not judged. Bytes and graph have to be
 * as they were read. Never throws for anything in the bytes: a document that cannot be judged to its end says so.
 */
export function validatePdfa(file: PdfFile, flavour: Flavour): PdfaVerdict {
  const documents = new EmbeddedDocuments(
    (embedded, claimed) => validateAmong(documents, embedded, claimed).compliant,
  )
  return validateAmong(documents, file, flavour)
}

function validateAmong(documents: EmbeddedDocuments, file: PdfFile, flavour: Flavour): PdfaVerdict {
  const validation = new Validation(file, flavour)
  const stop = runChecks(validation, documents)
  const failed = validation.failures.lines(validation.part)
  if (stop === null)
    return { flavour, completed: true, compliant: failed.length === 0, errors: failed }
  const errors = [...failed.slice(0, maxTold - 1), stop.reason]
  const verdict = { flavour, completed: false, compliant: false, errors }
  return stop.fault === null ? verdict : { ...verdict, fault: stop.fault }
}

/** Why validation did not come to its end. */
interface Stop {
  readonly reason: string
  readonly fault: string | null
}

function runChecks(validation: Validation, documents: EmbeddedDocuments): Stop | null {
  try {
    checkFile(validation)
    // What is encrypted cannot be read; that it is encrypted is one of the failures.
    if (validation.file.encrypted) return encrypted
    checkDocumentMetadata(validation)
    const fonts = new FontChecks(validation)
    const content = new ContentChecks(validation, fonts)
    checkDocument(validation, content, documents)
    content.finish()
    fonts.finish()
    assertAllPagesThere(validation.graph)
    return null
  } catch (error) {
    return stopOf(error)
  }
}

const encrypted: Stop = {
  reason: 'Validation ended early: the document is encrypted',
  fault: null,
}

/** The engine's own words for a stack, an array or a buffer that grew too large; other ranges are for us to keep. */
const outOfMemory = /call stack|allocation|length/i

function stopOf(error: unknown): Stop {
  if (
    error instanceof ResourceLimitError ||
    error instanceof ContentBudgetError ||
    error instanceof LostPagesError
  ) {
    return { reason: `Validation ended early: ${error.message}`, fault: null }
  }
  if (error instanceof RangeError && outOfMemory.test(error.message)) {
    return { reason: 'Validation ended early: it needs more memory than allowed', fault: null }
  }
  return {
    reason: 'Validation ended early: a part of the document could not be judged',
    fault: error instanceof Error ? (error.stack ?? error.message) : String(error),
  }
}
