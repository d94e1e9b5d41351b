import type { TamperSeverity } from '@pdfnorm/contracts/schema/tamper-analysis'
import { isStandard14 } from './pdf/font/font-resource.ts'
import type { FindingsInProgress } from './stage.ts'

/** Points taken off for the highest severity of a tamper anomaly. */
const riskPoints: Readonly<Record<TamperSeverity, number>> = {
  low: 5,
  medium: 15,
  high: 30,
  critical: 50,
}

/**
 * How healthy the original was: 100 minus points for what was found in it, not below 0 (trust, section 8). A pure function of the
 * findings; what is routine, such as object streams that were written anew, costs nothing.
 */
export function healthScore(findings: Omit<FindingsInProgress, 'warn'>): number {
  const { security, validation, tamperAnalysis, warnings } = findings
  const risk = tamperAnalysis?.riskLevel ?? 'none'
  const points = [
    risk === 'none' ? 0 : riskPoints[risk],
    security.overallSignatureStatus === 'SOME_INVALID' ? 20 : 0,
    security.javascriptRemoved ? 10 : 0,
    security.launchActionsRemoved ? 10 : 0,
    security.openActionsRemoved ? 5 : 0,
    security.embeddedFilesRemoved ? 5 : 0,
    security.richMediaRemoved ? 5 : 0,
    warnings.some(({ code }) => code === 'XFA_CONTENT_LOST') ? 3 : 0,
    validation.xrefRebuilt ? 8 : 0,
    validation.brokenReferencesDetected ? 5 : 0,
    security.incrementalUpdatesRemoved ? 2 : 0,
    fontPoints(findings.missingFonts),
    security.encryptedInput ? 5 : 0,
    findings.falsePdfaClaim ? 8 : 0,
  ]
  return Math.max(0, 100 - points.reduce((sum, one) => sum + one, 0))
}

/** Every reader has the standard fonts; any other one that is missing changes what is seen. */
function fontPoints(missingFonts: readonly string[]): number {
  if (missingFonts.length === 0) return 0
  return missingFonts.every(isStandard14) ? 2 : 6
}
