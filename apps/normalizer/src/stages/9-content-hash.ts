import { createHash } from 'node:crypto'
import { ContentBudget, ContentBudgetError } from '../pdf/content/content-budget.ts'
import { pageTexts } from '../pdf/content/page-text.ts'
import type { WrittenPages } from '../pdf/writing/written-pages.ts'
import type { Stage } from '../stage.ts'

/**
 * SHA-256 of the output's text, which stays the same when only its layout changes (trust, section 7). It is read from the
 * graph as it is written, which says what the output says. Results `sha256:<hex>`, `image_only` for a document without
 * text, `unavailable` when the content is more than can be executed: that is a warning and no failure, for the output does not
 * depend on it.
 */
export const contentHash: Stage = {
  name: 'ContentHash',

  run(document) {
    const { findings, output } = document
    if (!output) throw new Error('the document was not written')
    try {
      document.contentHash = textHash(output.pages, new ContentBudget(output.bytes.length))
    } catch (error) {
      if (!(error instanceof ContentBudgetError)) throw error
      findings.warn(
        'TEXT_EXTRACTION_FAILED',
        'The text of the output could not be read, so there is no content hash.',
      )
      return 'unavailable'
    }
    if (document.contentHash === null) {
      findings.warn('IMAGE_ONLY_DOCUMENT', 'The document holds no text that can be extracted.')
      return 'image_only'
    }
    return `sha256:${document.contentHash}`
  },
}

/** Of the pages' texts, joined by form feeds; null when no page has text. */
function textHash({ graph, pages }: WrittenPages, budget: ContentBudget): string | null {
  const hash = createHash('sha256')
  let isEmpty = true
  let separator = ''
  for (const text of pageTexts(graph, pages, budget)) {
    if (text !== '') isEmpty = false
    hash.update(separator + text, 'utf8')
    separator = '\f'
  }
  return isEmpty ? null : hash.digest('hex')
}
