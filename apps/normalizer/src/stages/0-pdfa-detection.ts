import { catalogVersion, catalogXmp } from '../pdf/catalog.ts'
import { pdfaClaim } from '../pdf/metadata/pdfa-claim.ts'
import type { Stage } from '../stage.ts'

/**
 * What the document claims to be: PDF/A by its XMP (trust, 3.1), else a version of PDF by header and catalog,
 * whichever is later. Result `pdfa_2b` or `pdf_1_7`. A claim is not compliance: nothing is validated here.
 */
export const pdfaDetection: Stage = {
  name: 'PdfaDetection',

  run({ file, findings }) {
    const claim = pdfaClaim(catalogXmp(file.graph) ?? [])
    if (claim) {
      findings.validation.pdfaDeclared = true
      findings.validation.pdfaLevel = claim.level
      return `pdfa_${claim.level}`
    }
    // ISO 32000-2, 7.7.2: the catalog's version counts if it is later than the header's.
    const versions = [file.header.version, catalogVersion(file.graph)].filter((v) => v !== null)
    const version = versions.toSorted((a, b) => Number(a) - Number(b)).at(-1)
    return version === undefined ? 'pdf_unknown' : `pdf_${version.replace('.', '_')}`
  },
}
