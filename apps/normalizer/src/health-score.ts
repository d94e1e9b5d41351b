import type { TamperSeverity } from '@pdfnorm/contracts/schema/tamper-analysis'
import { warnedFontName } from './font-warning.ts'
import type { Findings } from './outcome.ts'
import { isStandard14 } from './pdf/font-resource.ts'

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
export function healthScore(
  findings: Pick<Findings, 'security' | 'validation' | 'tamperAnalysis' | 'warnings'>,
): number {
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
    fontPoints(findings),
    security.encryptedInput ? 5 : 0,
    failsItsClaim(findings) ? 8 : 0,
  ]
  return Math.max(0, 100 - points.reduce((sum, one) => sum + one, 0))
}

/** Every reader has the standard fonts; any other one that is missing changes what is seen. */
function fontPoints({ validation, warnings }: Pick<Findings, 'validation' | 'warnings'>): number {
  if (!validation.nonEmbeddedFontsDetected) return 0
  const names = warnings
    .filter(({ code }) => code === 'NON_EMBEDDED_FONT')
    .map(({ message }) => warnedFontName(message))
  return names.every((name) => name !== null && isStandard14(name)) ? 2 : 6
}

/** Known only where a validator ran to its end. */
function failsItsClaim({ validation }: Pick<Findings, 'validation'>): boolean {
  const { pdfaDeclared, pdfaValidatorValidated, pdfaValidatorErrors } = validation
  return pdfaDeclared && pdfaValidatorValidated === true && pdfaValidatorErrors.length > 0
}
