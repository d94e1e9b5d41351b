import { mendPageTree } from '../pdf/mend-page-tree.ts'
import type { ObjectGraph } from '../pdf/object-graph.ts'
import type { StructuralRepairs } from '../pdf/pdf-file.ts'
import { walkReachable } from '../pdf/reachable.ts'
import { PipelineStop, type Stage } from '../stage.ts'

/**
 * Reports what had to be mended to read the file, and mends its page tree. Results `clean` and `repaired`; a document
 * without pages ends here.
 */
export const structuralRepair = {
  name: 'StructuralRepair',

  run({ file, findings }) {
    const { validation } = findings
    validation.xrefRebuilt = file.repairs.crossReferenceRebuilt
    validation.objectStreamsRegenerated = file.usesObjectStreams

    const { pages, mended } = mendPageTree(file.graph)
    if (pages === 0) throw new PipelineStop('MALFORMED_PDF', 'The document has no pages.')
    validation.brokenReferencesDetected = hasDanglingReferences(file.graph)

    const repaired = mended || validation.brokenReferencesDetected || wasRepaired(file.repairs)
    return repaired ? 'repaired' : 'clean'
  },
} satisfies Stage

function hasDanglingReferences(graph: ObjectGraph): boolean {
  let dangling = false
  walkReachable(graph, {
    dangling: () => {
      dangling = true
    },
  })
  return dangling
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
