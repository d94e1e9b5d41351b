import type { FailureCode } from './failure.ts'
import type { WarningCode } from './warning.ts'

/**
 * What the documentation says of each code of a submission that was rejected or failed: what it means, and what can be
 * done about the document. CommonMark; a code without its sentences does not compile.
 */
export const failureGuidance = {
  POLICY_REJECTION:
    'The document is signed, and `signed_pdf_policy` is `reject`. Send it with `strip` or `preserve` if you may.',
  ENCRYPTED_PDF:
    'The document is encrypted, if only against changes and with no password to open it. Ask for it without encryption.',
  FILE_TOO_LARGE:
    'The file is larger than the plan of the organization takes. It was hashed and not looked at.',
  UNSUPPORTED_PDF_VERSION: 'The major version of the file is neither 1 nor 2.',
  MALFORMED_PDF:
    'Nothing can be read out of the file that would make a document. Ask for it again where it comes from.',
  RESOURCE_LIMIT_EXCEEDED:
    'The document would take more time, memory or objects than any document gets. Sending it again gives the same.',
  INTERNAL_ERROR:
    'The service failed, several times, or could not vouch for what it had written. Send the document again later, and tell whoever runs the service its `submissionId`.',
} as const satisfies Record<FailureCode, string>

/** The same of each warning: the document was normalized, and something about it is worth knowing. */
export const warningGuidance = {
  NON_EMBEDDED_FONT:
    'A font shows glyphs and its program is not in the file: other machines may show other shapes. The service embeds none.',
  PDFA_NOT_PRESERVED:
    'A claim to be PDF/A was kept of which nobody knows whether it holds, because validation could not be carried to its end.',
  PDFA_CLAIM_DROPPED:
    'The claim to be PDF/A was taken away, because the normalized file would not comply. `pdfaValidatorErrors` say why.',
  PDFA_NOT_COMPLIANT:
    'The original claims PDF/A and does not comply; under `pdfa_policy=preserve` its claim stays, as false as it was.',
  PDFA_VALIDATOR_UNAVAILABLE:
    "veraPDF was to validate and did not answer; the service's own validator stood in.",
  ASSOCIATED_FILES_REMOVED:
    'A PDF/A-3 or PDF/A-4f document had files in it, such as the XML of an invoice, which were removed; the message names them.',
  SIGNATURE_INVALID:
    'A signature does not hold: its structure, digest or coverage is wrong, or something that it forbids came after it. The message says which.',
  SIGNATURES_REMOVED:
    'The document had signatures, and under `signed_pdf_policy=strip` the output has none. What they said is in `signatureVerificationResults`.',
  SIGNED_CONTENT_PRESERVED:
    'Under `signed_pdf_policy=preserve` the document was analysed only, and is returned byte for byte: nothing was removed or repaired.',
  WEAK_SIGNATURE_ALGORITHM:
    'A signature relies on SHA-1, for which two documents with one digest can be made.',
  XFA_CONTENT_LOST:
    'The document is described in XFA, which was removed, and its pages hold nothing of it or an earlier state.',
  FIELD_TEXT_LOST:
    'A form field holds characters that none of its fonts has; they became question marks.',
  HIDDEN_LAYER:
    'Something is drawn on a layer that viewers do not show when they open the document.',
  IMAGE_ONLY_DOCUMENT:
    'There is no text to extract, as in a scan without recognition; so there is no content hash.',
  TEXT_EXTRACTION_FAILED:
    'The text could not be read to its end, so there is no content hash. The file itself is whole.',
  LINEARIZATION_SKIPPED: 'The output could not be linearized, and is written without that.',
  TAMPER_ANOMALY:
    'The original shows traces of tampering, or of what readers do not agree about: see `tamperAnalysis`.',
} as const satisfies Record<WarningCode, string>
