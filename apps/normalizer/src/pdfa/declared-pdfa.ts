import type { PdfaClaim } from '../pdf/metadata/pdfa-claim.ts'
import type { XmpProperty } from '../pdf/metadata/xmp.ts'
import type { ClaimValidator } from './claim-validator.ts'
import type { Flavour } from './flavour.ts'
import type { PdfaVerdict } from './validate-pdfa.ts'

/** What a document claims to be, and whether it was that when it came. */
export interface DeclaredPdfa {
  readonly claim: PdfaClaim
  /** Where it stands. The stream itself may be gone later: it can be one that ActiveContentRemoval has to empty. */
  readonly xmp: readonly XmpProperty[]
  /** What the claim is held against. */
  readonly flavour: Flavour
  readonly validator: ClaimValidator
  readonly input: PdfaVerdict
}
