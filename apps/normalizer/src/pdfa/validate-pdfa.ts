import type { PdfFile } from '../pdf/pdf-file.ts'
import { ContentChecks } from './content/content-checks.ts'
import { checkDocument } from './document/check-document.ts'
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
}

/**
 * Holds a file against a flavour of PDF/A. It reaches what a viewer reaches, from the catalog through pages, content and
 * resources: a font that paints nothing and an image that is never drawn are not judged. Bytes and graph have to be
 * as they were read.
 */
export function validatePdfa(file: PdfFile, flavour: Flavour): PdfaVerdict {
  const validation = new Validation(file, flavour)
  checkFile(validation)
  checkDocumentMetadata(validation)
  const fonts = new FontChecks(validation)
  const content = new ContentChecks(validation, fonts)
  checkDocument(validation, content)
  content.finish()
  fonts.finish()
  const errors = validation.failures.lines(validation.part)
  return { flavour, completed: true, compliant: errors.length === 0, errors }
}
