import { mendFilters } from '../pdf/filter/mend-filters.ts'
import { mendPageTree } from '../pdf/mend-page-tree.ts'
import type { ObjectGraph } from '../pdf/object-graph.ts'
import type { StructuralRepairs } from '../pdf/pdf-file.ts'
import { PdfStream } from '../pdf/object.ts'
import { walkReachable } from '../pdf/reachable.ts'
import { PipelineStop, type Stage } from '../stage.ts'

/**
 * Reports what had to be mended to read the file, and mends its page tree and its lists of filters. Results
 * `clean` and `repaired`; a document without pages ends here.
 */
export const structuralRepair = {
  name: 'StructuralRepair',

  run({ file, findings }) {
    const { validation } = findings
    validation.xrefRebuilt = file.repairs.crossReferenceRebuilt
    validation.objectStreamsRegenerated = file.usesObjectStreams

    const { pages, mended } = mendPageTree(file.graph)
    if (pages === 0) throw new PipelineStop('MALFORMED_PDF', 'The document has no pages.')
    const { brokenReferences, mendedFilters } = lookThrough(file.graph)
    validation.brokenReferencesDetected = brokenReferences

    const repaired =
      mended || mendedFilters || validation.brokenReferencesDetected || wasRepaired(file.repairs)
    return repaired ? 'repaired' : 'clean'
  },
} satisfies Stage

/**
 * Whether there are broken references, and whether filters had to be mended.
 *
 * A reference by another generation than the object has refers to nothing (ISO 32000-2, 7.3.10). Most viewers follow it
 * nevertheless, and so does the rewrite, for nothing that was to be seen may be lost; that it is broken is told.
 */
function lookThrough(graph: ObjectGraph): { brokenReferences: boolean; mendedFilters: boolean } {
  let brokenReferences = false
  let mendedFilters = false
  walkReachable(graph, {
    reference: ({ number, generation }) => {
      brokenReferences ||= !graph.has(number) || graph.generation(number) !== generation
    },
    container: (object) => {
      if (object instanceof PdfStream && mendFilters(graph, object)) mendedFilters = true
    },
  })
  return { brokenReferences, mendedFilters }
}

function wasRepaired(repairs: StructuralRepairs): boolean {
  return (
    repairs.crossReferenceRebuilt ||
    repairs.missingTrailer ||
    repairs.missingEndOfFile ||
    repairs.rootRebuilt ||
    repairs.brokenChain
  )
}
