import { writeFile } from 'node:fs/promises'
import { compareTwoPictures, type PictureDifference, sideBySide } from './compare-pictures.ts'
import {
  type OpenedDocument,
  type PagePicture,
  type PageRenderer,
  startPageRenderer,
} from './page-renderer.ts'
import { pngOf } from './png.ts'

export interface ComparisonTask {
  readonly before: Uint8Array
  readonly after: Uint8Array
  readonly maxPages: number
  /** Where the pictures of differing pages go, without `-<page>.png`; null: nowhere. */
  readonly pictures: string | null
}

export interface Comparison {
  /** Why there is nothing to compare; null when there was. */
  readonly unable: string | null
  readonly pages: number
  readonly differences: readonly PageDifference[]
}

export interface PageDifference extends PictureDifference {
  /** From 1. */
  readonly page: number
}

let renderer: Promise<PageRenderer> | null = null

/** Renders two files and compares them page by page. */
export async function compareFiles(task: ComparisonTask): Promise<Comparison> {
  renderer ??= startPageRenderer()
  const pdfium = await renderer
  const before = pdfium.open(task.before)
  const after = pdfium.open(task.after)
  try {
    if (!before) return unable('the renderer cannot open the original')
    if (!after) return unable('the renderer cannot open the output')
    return await compareDocuments(before, after, task)
  } finally {
    before?.close()
    after?.close()
  }
}

async function compareDocuments(
  before: OpenedDocument,
  after: OpenedDocument,
  { maxPages, pictures }: ComparisonTask,
): Promise<Comparison> {
  const differences: PageDifference[] = []
  const count = Math.max(before.pageCount, after.pageCount)
  const pages = Math.min(count, maxPages)
  for (let index = 0; index < pages; index++) {
    const one = pageOf(before, index)
    const other = pageOf(after, index)
    const difference = compareTwoPictures(one, other)
    if (difference === null) continue
    differences.push({ page: index + 1, ...difference })
    if (pictures === null) continue
    await writeFile(`${pictures}-${index + 1}.png`, pngOf(sideBySide(one, other)))
  }
  return { unable: null, pages, differences }
}

function pageOf(document: OpenedDocument, index: number): PagePicture {
  return document.render(index) ?? { width: 1, height: 1, pixels: new Uint8Array(4) }
}

function unable(why: string): Comparison {
  return { unable: why, pages: 0, differences: [] }
}
