import { isPreserved } from '../preserved.ts'
import { catalogXmp } from '../pdf/catalog.ts'
import { removeIncidentalMetadata } from '../pdf/metadata/incidental-metadata.ts'
import { writeMetadata } from '../pdf/metadata/write-metadata.ts'
import { PRODUCER } from '../pipeline-spec.ts'
import type { Stage } from '../stage.ts'

/**
 * Info and XMP, both written from one record of what the document says about itself, and nothing that changes from
 * save to save or tells who made it with what (trust, section 7). A claim to be PDF/A is left to FinalRewrite,
 * which sees whether it holds. Result `normalized` or `preserved`.
 */
export const metadataCanonical: Stage = {
  name: 'MetadataCanonical',

  run(document) {
    if (isPreserved(document)) return 'preserved'
    const { graph } = document.file
    const xmp = document.declaredPdfa?.xmp ?? catalogXmp(graph)
    writeMetadata(graph, xmp, { producer: PRODUCER, keepPdfaClaim: true })
    removeIncidentalMetadata(graph)
    return 'normalized'
  },
}
