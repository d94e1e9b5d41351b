import { createHash } from 'node:crypto'
import { TextExtractionError } from '../pdf/content/text-engine.ts'
import { extractPageTexts } from '../pdf/content/text-extraction.ts'
import type { Stage } from '../stage.ts'

/**
 * SHA-256 of the output's text, which stays the same when only its layout changes (trust, section 7). Results
 * `sha256:<hex>`, `image_only` for a document without text, `unavailable` when the text could not be read: that
 * is a warning and no failure, for the output does not depend on it.
 */
export const contentHash: Stage = {
  name: 'ContentHash',

  async run(document) {
    const { findings, output } = document
    if (!output) throw new Error('the document was not written')
    const text = await outputText(output.bytes)
    if (text === null) {
      findings.warn(
        'TEXT_EXTRACTION_FAILED',
        'The text of the output could not be read, so there is no content hash.',
      )
      return 'unavailable'
    }
    if (text === '') {
      findings.warn('IMAGE_ONLY_DOCUMENT', 'The document holds no text that can be extracted.')
      return 'image_only'
    }
    document.contentHash = createHash('sha256').update(text, 'utf8').digest('hex')
    return `sha256:${document.contentHash}`
  },
}

async function outputText(bytes: Uint8Array): Promise<string | null> {
  try {
    return canonicalText(await extractPageTexts(bytes))
  } catch (error) {
    if (error instanceof TextExtractionError) return null
    throw error
  }
}

/** NFC, runs of white space to one space, pages joined by form feeds; empty when no page has text. */
export function canonicalText(pages: readonly string[]): string {
  const texts = pages.map((page) =>
    page.toWellFormed().normalize('NFC').replace(/\s+/gu, ' ').trim(),
  )
  return texts.every((text) => text === '') ? '' : texts.join('\f')
}
