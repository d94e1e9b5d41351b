import { ResourceLimitError } from '../reading/read-limits.ts'
import { claimedPages } from './page-claims.ts'
import { hasSpareProcessor } from './spare-processor.ts'
import {
  largestUsualFile,
  startTextEngine,
  type TextDocument,
  type TextEngine,
  TextExtractionError,
} from './text-engine.ts'
import { TextHelper } from './text-helper.ts'

/** From here on it pays to open the document twice and read its pages in two threads. */
const pagesForTwo = 8

/** One instance for the thread: it is made when the first document comes. */
let engine: Promise<TextEngine> | null = null
let helper: TextHelper | null = null
/** Ends when the engine is free. */
let inUse: Promise<unknown> = Promise.resolve()

/**
 * The text of each page as PDFium reads it. Together with the engine's version this defines the content hash: another engine
 * breaks lines and words otherwise.
 *
 * Text is most of a document's time, and pages do not depend on each other: while a processor has nothing to do, a
 * helper thread takes every page of a long document that this thread has not come to.
 *
 * @param threads how many may work on it; the texts do not depend on it
 * @throws {TextExtractionError} when the engine cannot open the document or gives up within it
 * @throws {ResourceLimitError} when the engine needs more memory for it than it may take
 */
export async function extractPageTexts(bytes: Uint8Array, threads?: 1 | 2): Promise<string[]> {
  const texts = inUse.then(() => extract(bytes, threads))
  inUse = texts.catch(() => {})
  return texts
}

async function extract(bytes: Uint8Array, threads?: 1 | 2): Promise<string[]> {
  const isUsual = bytes.length <= largestUsualFile
  if (!isUsual) engine = null
  engine ??= startTextEngine(bytes.length).catch((error: unknown) => {
    engine = null
    throw error
  })
  const current = await engine
  try {
    const document = current.open(bytes)
    const isShared =
      isUsual && document.pageCount >= pagesForTwo && (threads ?? spareThreads()) === 2
    const texts = isShared ? await sharedTexts(document, bytes) : ownTexts(document)
    document.close()
    return texts
  } catch (error) {
    // After a trap the instance's memory can be anything.
    engine = null
    if (error instanceof TextExtractionError) throw error
    if (current.exhausted) {
      throw new ResourceLimitError('Reading the text needs more memory than allowed')
    }
    throw new TextExtractionError(error instanceof Error ? error.message : String(error))
  } finally {
    if (current.wornOut || !isUsual) engine = null
  }
}

function spareThreads(): 1 | 2 {
  return hasSpareProcessor() ? 2 : 1
}

function ownTexts(document: TextDocument): string[] {
  return Array.from({ length: document.pageCount }, (_, page) => document.pageText(page))
}

async function sharedTexts(document: TextDocument, bytes: Uint8Array): Promise<string[]> {
  const { pageCount } = document
  if (helper === null || helper.ended) helper = new TextHelper()
  const claims = helper.invite(bytes)
  const texts = new Map<number, string>()
  for (const page of claimedPages(claims, pageCount)) texts.set(page, document.pageText(page))
  for (const [page, text] of await helper.pagesTaken(claims)) texts.set(page, text)
  return Array.from({ length: pageCount }, (_, page) => texts.get(page) ?? document.pageText(page))
}
