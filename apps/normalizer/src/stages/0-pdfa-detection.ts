import { catalogVersion, catalogXmp } from '../pdf/catalog.ts'
import { type PdfaClaim, pdfaClaim } from '../pdf/metadata/pdfa-claim.ts'
import type { XmpProperty } from '../pdf/metadata/xmp.ts'
import { ClaimValidator } from '../pdfa/claim-validator.ts'
import { flavourOfClaim } from '../pdfa/flavour.ts'
import { defaultPdfaSettings } from '../pdfa/pdfa-settings.ts'
import type { DocumentInProgress, Stage } from '../stage.ts'

/**
 * What the document claims to be: PDF/A by its XMP (trust, 3.1), else a version of PDF by header and catalog,
 * whichever is later. A claim of PDF/A is held against the document while it still is as it came: only what was there
 * can be preserved. Result `pdfa_2b` or `pdf_1_7`, of the claim and not of compliance.
 */
export const pdfaDetection: Stage = {
  name: 'PdfaDetection',

  async run(document) {
    const { file } = document
    const xmp = catalogXmp(file.graph) ?? []
    const claim = pdfaClaim(xmp)
    if (claim) {
      await validateOriginal(document, claim, xmp)
      return `pdfa_${claim.level}`
    }
    document.declaredPdfa = null
    // ISO 32000-2, 7.7.2: the catalog's version counts if it is later than the header's.
    const versions = [file.header.version, catalogVersion(file.graph)].filter((v) => v !== null)
    const version = versions.toSorted((a, b) => Number(a) - Number(b)).at(-1)
    return version === undefined ? 'pdf_unknown' : `pdf_${version.replace('.', '_')}`
  },
}

async function validateOriginal(
  document: DocumentInProgress,
  claim: PdfaClaim,
  xmp: readonly XmpProperty[],
): Promise<void> {
  const { file, findings, pdfaSettings = defaultPdfaSettings } = document
  findings.validation.pdfaDeclared = true
  findings.validation.pdfaLevel = claim.level
  const flavour = flavourOfClaim(claim)
  const validator = new ClaimValidator(pdfaSettings.validator)
  const input = await validator.validate(file, flavour)
  findings.falsePdfaClaim = input.completed && !input.compliant
  document.declaredPdfa = { claim, xmp, flavour, validator, input }
}
