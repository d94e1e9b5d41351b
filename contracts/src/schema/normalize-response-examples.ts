import { type NormalizeResponse, pendingResponse } from './normalize-response.ts'

const submissionId = '0199c8a4-6f1e-7c3a-9d52-0b6f6f0d3c11'

const original = {
  sha256: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
  sizeBytes: 51344,
}

const normalizedSha256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'

/** A document with a script in it, normalized at once. */
export const normalizedExample: NormalizeResponse = {
  apiVersion: '2026-11-01',
  requestId: '0199c8a4-6e02-7b19-8c41-fa5e5f0c2b00',
  submissionId,
  processingTimeMs: 842,
  status: 'SUCCESS',
  original,
  normalized: {
    sha256: normalizedSha256,
    sizeBytes: 48211,
    pdfVersion: '1.7',
    linearized: true,
    contentHash: 'fcde2b2edba56bf408601fb721fe9b5c338d10ee429ea04fae5511b68fbf8fb9',
    downloadUrl: `https://pdfnorm.example/api/artifacts/${normalizedSha256}`,
  },
  security: {
    javascriptRemoved: true,
    openActionsRemoved: true,
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
    xrefRebuilt: true,
    objectStreamsRegenerated: true,
    brokenReferencesDetected: false,
    nonEmbeddedFontsDetected: true,
    pdfaDeclared: false,
    pdfaPreserved: false,
    pdfaCompliant: false,
    pdfaLevel: null,
    pdfaValidatorValidated: null,
    pdfaValidatorErrors: [],
  },
  tamperAnalysis: { riskLevel: 'none', anomaliesDetected: 0, anomalies: [] },
  warnings: [{ code: 'NON_EMBEDDED_FONT', message: 'Font Helvetica on page 1 is not embedded.' }],
  failure: null,
}

/** A document that goes on in the background. */
export const pendingExample: NormalizeResponse = pendingResponse({
  apiVersion: '2026-11-01',
  requestId: '0199c8a4-6e02-7b19-8c41-fa5e5f0c2b00',
  submissionId,
  original,
  status: 'PENDING',
})
