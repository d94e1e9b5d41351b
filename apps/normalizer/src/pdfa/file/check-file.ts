import type { PdfFile } from '../../pdf/pdf-file.ts'
import { wholeFile } from '../failures.ts'
import type { Validation } from '../validation.ts'
import { type DocumentFacts, documentRules } from './document-rules.ts'

/** What ISO 19005 asks of the bytes: header, trailers, cross-reference sections, the spelling and limits of objects. */
export function checkFile(validation: Validation): void {
  validation.check(documentRules, documentFacts(validation.file), wholeFile)
}

function documentFacts({ bytes, header }: PdfFile): DocumentFacts {
  return {
    headerOffset: header.offset,
    get headerLine() {
      const head = Buffer.from(bytes.subarray(header.offset ?? 0, (header.offset ?? 0) + 128))
      return head.toString('latin1').split(/[\r\n]/, 1)[0] ?? ''
    },
  }
}
