import type { FindingsInProgress } from './stage.ts'

/** Findings of a document of which nothing is known yet. */
export function emptyFindings(): FindingsInProgress {
  const warnings: FindingsInProgress['warnings'] = []
  return {
    security: {
      javascriptRemoved: false,
      openActionsRemoved: false,
      embeddedFilesRemoved: false,
      richMediaRemoved: false,
      launchActionsRemoved: false,
      incrementalUpdatesRemoved: false,
      acroformFlattened: false,
      annotationsRemoved: false,
      encryptedInput: false,
      digitalSignaturesDetected: false,
      digitalSignaturesRemoved: false,
      signatureCount: 0,
      signatureVerificationResults: [],
      overallSignatureStatus: 'NONE',
    },
    validation: {
      xrefRebuilt: false,
      objectStreamsRegenerated: false,
      brokenReferencesDetected: false,
      nonEmbeddedFontsDetected: false,
      pdfaDeclared: false,
      pdfaPreserved: false,
      pdfaCompliant: false,
      pdfaLevel: null,
      pdfaValidatorValidated: null,
      pdfaValidatorErrors: [],
    },
    tamperAnalysis: null,
    warnings,
    missingFonts: [],
    falsePdfaClaim: false,
    pdfaValidatorEngine: null,
    warn: (code, message) => warnings.push({ code, message }),
  }
}
