import type { WarningInfo } from '@pdfnorm/contracts/schema/warning'
import type { PdfaPolicy } from '../options.ts'
import type { PdfaClaim } from '../pdf/metadata/pdfa-claim.ts'
import type { PdfaVerdict } from './validate-pdfa.ts'

export interface ClaimCase {
  readonly claim: PdfaClaim
  readonly policy: PdfaPolicy
  readonly input: PdfaVerdict
  /** Of the output with the claim. */
  readonly output: PdfaVerdict
  /** What its level requires was taken out: the embedded files of a PDF/A-4f. */
  readonly lacksFiles: boolean
}

export interface ClaimDecision {
  readonly keeps: boolean
  /** The claim is kept, and compliance with it, if it was there. */
  readonly preserved: boolean
  readonly warning: WarningInfo | null
}

/**
 * Whether the output goes on claiming to be PDF/A (trust, section 4; docs/decisions/0024-pdfa-claims.md). A claim that was
 * true is never made false; one that was false stays under `preserve` and goes under `normalize_anyway`.
 */
export function decideClaim(given: ClaimCase): ClaimDecision {
  const { claim, policy, input, output, lacksFiles } = given
  const label = `PDF/A-${claim.level}`
  if (output.compliant) return { keeps: true, preserved: true, warning: null }

  if (policy === 'normalize_anyway') {
    const reason = output.completed
      ? `the output does not comply: ${brief(output)}`
      : `the output could not be validated: ${brief(output)}`
    return dropped(`The claim to be ${label} was removed because ${reason}`)
  }
  if (lacksFiles) {
    return dropped(
      `The claim to be ${label} was removed: it requires the embedded files that were taken out. ` +
        'Keep the original where the files are needed, or have the service keep them (KEEP_ASSOCIATED_FILES_OF_PDFA3).',
    )
  }
  if (input.compliant && output.completed) {
    return dropped(
      `The original complies with ${label}; the output does not, and the claim was removed: ${brief(output)} ` +
        'Keep the original where PDF/A is required.',
    )
  }
  if (input.completed && !input.compliant) {
    return {
      keeps: true,
      preserved: true,
      warning: {
        code: 'PDFA_NOT_COMPLIANT',
        message:
          `The document claims to be ${label} and does not comply, as it came and as it is: ${brief(output)} ` +
          'The claim was kept; pdfa_policy=normalize_anyway removes it.',
      },
    }
  }
  return {
    keeps: true,
    preserved: false,
    warning: {
      code: 'PDFA_NOT_PRESERVED',
      message:
        `The claim to be ${label} was kept, but it is not known whether it holds: ${brief(output.completed ? input : output)} ` +
        'Have another validator look at the file before you rely on it.',
    },
  }
}

/** What is to be said of a signed document that leaves as it came. */
export function warningOfUnchanged(claim: PdfaClaim, verdict: PdfaVerdict): WarningInfo | null {
  if (verdict.compliant || !verdict.completed) return null
  return {
    code: 'PDFA_NOT_COMPLIANT',
    message:
      `The document claims to be PDF/A-${claim.level} and does not comply: ${brief(verdict)} ` +
      'It is unchanged, because its signatures are to be preserved.',
  }
}

function dropped(message: string): ClaimDecision {
  return { keeps: false, preserved: false, warning: { code: 'PDFA_CLAIM_DROPPED', message } }
}

/** A validation that did not end tells why in its last line. */
function brief({ errors, completed }: PdfaVerdict): string {
  const [told = 'without a reason'] = completed ? errors : errors.slice(-1)
  const others = completed ? errors.length - 1 : 0
  const sentence = told.replace(/\.$/, '')
  return others > 0 ? `${sentence}, and ${others} more.` : `${sentence}.`
}
