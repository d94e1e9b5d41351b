import {
  embeddedFileNames,
  filesRemovedMessage,
  type FilesRemovedReason,
  takeAssociatedFiles,
} from '../active-content/associated-files.ts'
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
    const keepsFiles = whyNoFiles(document) === null && !isPreserved(document)
    document.associatedFiles = keepsFiles
      ? takeAssociatedFiles(file.graph, document.declaredPdfa?.claim.part === 4)
      : null
    const found = findActiveContent(file.graph)
    warnOfHiddenLayers(document)
    if (isPreserved(document)) {
      if (isNothing(found)) return 'none'
      warnOfWhatStays(findings, found.kinds)
      return 'preserved'
    }
    if (found.kinds.has('embeddedFile')) warnOfFiles(document)
    removeActiveContent(file.graph, found)
    setFlags(findings.security, found.kinds)
    document.associatedFiles?.attach()
    return isNothing(found) ? 'none' : 'removed'
  },
}

/**
 * Why no file of the document is kept; null if the harmless ones are. ISO 19005-3, 6.8, and ISO 19005-4, annex A: other
 * parts and levels know no associated files.
 */
function whyNoFiles(document: DocumentInProgress): FilesRemovedReason | null {
  const { declaredPdfa, pdfaSettings, options } = document
  if (declaredPdfa?.claim.part !== 3 && declaredPdfa?.claim.level !== '4f') return 'level'
  if (pdfaSettings?.keepAssociatedFiles !== true) return 'setting'
  return options.pdfaPolicy === 'preserve' ? null : 'policy'
}

/** Of an archive's files people have to know which are gone: they are what it was made for. */
function warnOfFiles(document: DocumentInProgress): void {
  const { file, findings, declaredPdfa } = document
  if (declaredPdfa?.claim.part !== 3 && declaredPdfa?.claim.part !== 4) return
  const names = embeddedFileNames(file.graph)
  if (names.length === 0) return
  const message = filesRemovedMessage(names, whyNoFiles(document) ?? 'kind')
  findings.warn('ASSOCIATED_FILES_REMOVED', message)
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
