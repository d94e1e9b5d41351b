import { acroFormOf } from '../pdf/form/acro-form.ts'
import { findWidgets } from '../pdf/form/flatten-form.ts'
import { signatureFields, signatureValues } from '../pdf/form/signature-field.ts'
import type { ObjectGraph } from '../pdf/object-graph.ts'
import { removeSignatures, removeStraySignatures } from '../signature/remove-signatures.ts'
import { type DocumentInProgress, PipelineStop, type Stage } from '../stage.ts'

/**
 * Finds and verifies the signatures of the original and does with them what the policy says (trust, 2). Results
 * `none`, `stripped`, `preserved`; under the policy `reject` a signed document ends here.
 */
export const digitalSignatureDetection: Stage = {
  name: 'DigitalSignatureDetection',

  async run(document) {
    const { file, findings, options } = document
    const count = await verifyAll(document)
    if (count === 0) {
      removeSignatures(file.graph)
      return 'none'
    }

    const named = count === 1 ? 'one signature' : `${count} signatures`
    if (options.signedPdfPolicy === 'reject') {
      throw new PipelineStop(
        'POLICY_REJECTION',
        `The document has ${named}. Send signed_pdf_policy strip or preserve to have it processed.`,
      )
    }
    if (options.signedPdfPolicy === 'preserve') {
      findings.warn(
        'SIGNED_CONTENT_PRESERVED',
        `The document has ${named} and was only analysed; the output is the original, byte for byte.`,
      )
      if (hasOtherFields(file.graph)) {
        const message = 'The signed document still holds an interactive form.'
        findings.warn('SIGNED_CONTENT_PRESERVED', message)
      }
      return 'preserved'
    }
    removeSignatures(file.graph)
    removeStraySignatures(file.graph)
    findings.security.digitalSignaturesRemoved = true
    findings.warn('SIGNATURES_REMOVED', `The document had ${named}, which the output has not.`)
    return 'stripped'
  },
}

/** Beside those that are signed: what active content there is, ActiveContentRemoval tells. */
function hasOtherFields(graph: ObjectGraph): boolean {
  return (
    acroFormOf(graph)?.hasXfa === true || findWidgets(graph).size > signatureFields(graph).length
  )
}

async function verifyAll({ file, findings, ...context }: DocumentInProgress): Promise<number> {
  const values = signatureValues(file.graph, file.bytes)
  if (values.length === 0) return 0
  // Loaded here so that documents without signatures do not pay for the libraries.
  const { overallStatus, verifySignatures } = await import('../signature/verify-signatures.ts')

  const reports = verifySignatures(file, values, context)
  const { security } = findings
  security.digitalSignaturesDetected = true
  security.signatureCount = reports.length
  security.signatureVerificationResults = reports.map(({ verification }) => verification)
  security.overallSignatureStatus = overallStatus(reports)

  for (const { verification, weakAlgorithm } of reports) {
    const { fieldName, reason } = verification
    if (reason !== null) {
      findings.warn('SIGNATURE_INVALID', `Signature "${fieldName}" is not valid: ${reason}.`)
    }
    if (weakAlgorithm !== null) {
      const message = `Signature "${fieldName}" relies on ${weakAlgorithm.toUpperCase()}.`
      findings.warn('WEAK_SIGNATURE_ALGORITHM', message)
    }
  }
  return reports.length
}
