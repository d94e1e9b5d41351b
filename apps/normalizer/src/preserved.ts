import type { DocumentInProgress } from './stage.ts'

/**
 * Whether the output has to be the input byte for byte: any rewrite would break the byte ranges of the
 * signatures. Known from DigitalSignatureDetection on; every later stage then reports and edits nothing.
 */
export function isPreserved({ options, findings }: DocumentInProgress): boolean {
  return options.signedPdfPolicy === 'preserve' && findings.security.signatureCount > 0
}
