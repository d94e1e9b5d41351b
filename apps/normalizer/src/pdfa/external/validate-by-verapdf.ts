import type { Flavour } from '../flavour.ts'
import type { VerapdfChoice } from '../pdfa-settings.ts'
import { askVerapdfService } from './ask-verapdf-service.ts'
import { runVerapdf } from './run-verapdf.ts'
import { VerapdfUnavailable } from './verapdf-unavailable.ts'
import { readVerapdfReport, type VerapdfVerdict } from './verapdf-report.ts'

export type VerapdfAnswer =
  | ({ readonly kind: 'verdict' } & VerapdfVerdict)
  /** Nobody answered, or not in time, or not with a report. */
  | { readonly kind: 'unavailable'; readonly reason: string }

/** Has veraPDF hold a file against a flavour. Never throws. */
export async function validateByVerapdf(
  bytes: Uint8Array,
  flavour: Flavour,
  choice: VerapdfChoice,
): Promise<VerapdfAnswer> {
  try {
    const text =
      choice.kind === 'verapdf-cli'
        ? await runVerapdf(bytes, flavour, choice)
        : await askVerapdfService(bytes, flavour, choice)
    return { kind: 'verdict', ...readVerapdfReport(text, flavour) }
  } catch (error) {
    // What the system says may name paths of the server, and is not for those who sent the document.
    const isOurs = error instanceof VerapdfUnavailable
    return { kind: 'unavailable', reason: isOurs ? error.message : 'it could not be run' }
  }
}
