import { hiddenLayers } from '../active-content/hidden-layer.ts'
import { type ActiveContentKind, kindWords } from '../active-content/inventory.ts'
import {
  type ActiveContent,
  findActiveContent,
  removeActiveContent,
} from '../active-content/remove-active-content.ts'
import { isPreserved } from '../preserved.ts'
import type { DocumentInProgress, FindingsInProgress, Stage } from '../stage.ts'

/** Takes out everything that acts by itself, runs code, leaves the document or brings other files (trust, section 5). */
export const activeContentRemoval: Stage = {
  name: 'ActiveContentRemoval',

  run(document) {
    const { findings, file } = document
    const found = findActiveContent(file.graph)
    warnOfHiddenLayers(document)
    if (isNothing(found)) return 'none'
    if (isPreserved(document)) {
      warnOfWhatStays(findings, found.kinds)
      return 'preserved'
    }
    removeActiveContent(file.graph, found)
    setFlags(findings.security, found.kinds)
    return 'removed'
  },
}

function isNothing({ kinds, entries }: ActiveContent): boolean {
  return kinds.size === 0 && entries.length === 0
}

function setFlags(
  security: FindingsInProgress['security'],
  kinds: ReadonlySet<ActiveContentKind>,
): void {
  security.javascriptRemoved = kinds.has('javascript')
  security.openActionsRemoved = kinds.has('openAction')
  security.launchActionsRemoved = kinds.has('launch')
  security.embeddedFilesRemoved = kinds.has('embeddedFile')
  security.richMediaRemoved = kinds.has('richMedia')
}

function warnOfWhatStays(
  findings: FindingsInProgress,
  kinds: ReadonlySet<ActiveContentKind>,
): void {
  const words = [...kinds].sort().map((kind) => kindWords[kind])
  findings.warn('SIGNED_CONTENT_PRESERVED', `The signed document still holds ${words.join(', ')}.`)
}

function warnOfHiddenLayers({ file, findings }: DocumentInProgress): void {
  for (const number of hiddenLayers(file.graph)) {
    findings.warn(
      'HIDDEN_LAYER',
      `A layer that is hidden by default has content (object ${number} ${file.graph.generation(number)}).`,
    )
  }
}
