import type { Stage } from '../stage.ts'
import { tamperAnalysis } from '../tamper/anomaly.ts'
import { headerVersionMismatch } from '../tamper/header-version-mismatch.ts'
import { incrementalUpdateInjection } from '../tamper/incremental-update-injection.ts'
import { orphanedSignatureField } from '../tamper/orphaned-signature-field.ts'
import { postEofData } from '../tamper/post-eof-data.ts'
import { shadowContent } from '../tamper/shadow-content.ts'
import { contentAfterSigning } from '../tamper/content-after-signing.ts'
import { hiddenObject } from '../tamper/hidden-object.ts'
import { removedSignature } from '../tamper/removed-signature.ts'
import { updateAfterSigning } from '../tamper/update-after-signing.ts'
import { updateOfUnsigned } from '../tamper/update-of-unsigned.ts'
import { gatherEvidence } from '../tamper/tamper-evidence.ts'

/**
 * Looks at the original bytes, before anything is repaired, for what an attacker leaves in them (trust, 1). Result
 * `clean` or the risk level.
 */
export const tamperDetection = {
  name: 'TamperDetection',

  run({ file, findings, options }) {
    const evidence = gatherEvidence(file)
    const analysis = tamperAnalysis([
      ...incrementalUpdateInjection(evidence),
      ...updateAfterSigning(evidence),
      ...updateOfUnsigned(evidence),
      ...shadowContent(evidence),
      ...contentAfterSigning(evidence),
      ...hiddenObject(evidence),
      ...postEofData(evidence),
      ...headerVersionMismatch(evidence),
      ...orphanedSignatureField(evidence),
      ...removedSignature(evidence),
    ])
    findings.tamperAnalysis = analysis

    // A signed document that is to be preserved is not rewritten: its updates stay.
    const rewritten = !(evidence.signed && options.signedPdfPolicy === 'preserve')
    findings.security.incrementalUpdatesRemoved = rewritten && file.revisions.length > 1

    const { riskLevel, anomaliesDetected } = analysis
    if (riskLevel === 'none') return 'clean'
    const count =
      anomaliesDetected === 1 ? 'One anomaly was' : `${anomaliesDetected} anomalies were`
    findings.warn(
      'TAMPER_ANOMALY',
      `${count} found in the original file; the highest severity is ${riskLevel}.`,
    )
    return riskLevel
  },
} satisfies Stage
