import type { PdfFile } from '../pdf/pdf-file.ts'
import { PIPELINE_SPEC } from '../pipeline-spec.ts'
import type { Flavour } from './flavour.ts'
import type { PdfaValidatorChoice } from './pdfa-settings.ts'
import type { PdfaVerdict } from './validate-pdfa.ts'

/**
 * Holds one document, as it came and as it is written, against what it claims: by veraPDF where that is chosen and
 * answers, else by the validator that is built in.
 */
export class ClaimValidator {
  readonly #choice: PdfaValidatorChoice
  #engine = builtIn
  #unavailable: string | null = null

  constructor(choice: PdfaValidatorChoice) {
    this.#choice = choice
  }

  /** Who gave the last verdict, with its version. */
  get engine(): string {
    return this.#engine
  }

  /** Why the one that is chosen could not be asked; it is not asked again. */
  get unavailable(): string | null {
    return this.#unavailable
  }

  /** @param file as it was read: nothing edited */
  async validate(file: PdfFile, flavour: Flavour): Promise<PdfaVerdict> {
    const external = this.#unavailable === null ? await this.#ask(file.bytes, flavour) : null
    if (external !== null) return external
    // Loaded here so that documents without a claim do not pay for the rules.
    const { validatePdfa } = await import('./validate-pdfa.ts')
    this.#engine = builtIn
    return validatePdfa(file, flavour)
  }

  async #ask(bytes: Uint8Array, flavour: Flavour): Promise<PdfaVerdict | null> {
    if (this.#choice.kind === 'internal') return null
    const { validateByVerapdf } = await import('./external/validate-by-verapdf.ts')
    const answer = await validateByVerapdf(bytes, flavour, this.#choice)
    if (answer.kind === 'unavailable') {
      this.#unavailable = answer.reason
      return null
    }
    this.#engine = answer.engine
    return answer.verdict
  }
}

const builtIn = `pdfnorm ${PIPELINE_SPEC}`
