import { writeFile } from 'node:fs/promises'
import { acroFormOf } from '../src/pdf/form/acro-form.ts'
import { readPdf } from '../src/pdf/reading/read-pdf.ts'
import { compareTwoPictures, type PictureDifference, sideBySide } from './compare-pictures.ts'
import { type Explanation, explanations, type PageFacts } from './explain-differences.ts'
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
  /** What the engine says that it did to the file. */
  readonly wasRepaired: boolean
  readonly removesMediaAndFiles: boolean
  readonly lacksCharacters: boolean
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
  /** Why it differs where that is known. */
  readonly reasons: readonly Explanation['why'][]
  /** What no reason accounts for; null when there is nothing. */
  readonly unexplained: PictureDifference | null
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
    return await compareDocuments(pdfium, before, after, task)
  } finally {
    before?.close()
    after?.close()
  }
}

async function compareDocuments(
  pdfium: PageRenderer,
  before: OpenedDocument,
  after: OpenedDocument,
  task: ComparisonTask,
): Promise<Comparison> {
  const { maxPages, pictures } = task
  const differences: PageDifference[] = []
  const explain = explainer(task, pdfium, after)
  const count = Math.max(before.pageCount, after.pageCount)
  const pages = Math.min(count, maxPages)
  for (let index = 0; index < pages; index++) {
    const one = pageOf(before, index)
    const other = pageOf(after, index)
    const difference = compareTwoPictures(one, other)
    if (difference === null) continue
    const known = explain(index, one, other)
    const reasons = [...new Set(known.map(({ why }) => why))]
    const boxes = known.map(({ box }) => box)
    const unexplained = reasons.includes('repair') ? null : compareTwoPictures(one, other, boxes)
    differences.push({ page: index + 1, ...difference, reasons, unexplained })
    if (pictures === null) continue
    await writeFile(`${pictures}-${index + 1}.png`, pngOf(sideBySide(one, other)))
  }
  return { unable: null, pages, differences }
}

/** Opens the original once more, when it is needed: what it has to say of its fields it says before it is rendered. */
function explainer(task: ComparisonTask, pdfium: PageRenderer, after: OpenedDocument): Explainer {
  let facts: Omit<PageFacts, 'annotations' | 'textAfter'> | null = null
  return (index, one, other) => {
    const fresh = pdfium.open(task.before)
    try {
      facts ??= { ...task, needAppearances: asksForAppearances(task.before) }
      return explanations(one, other, {
        ...facts,
        annotations: fresh?.annotations(index) ?? [],
        textAfter: ({ rectangle }) => after.textWithin(index, rectangle),
      })
    } finally {
      fresh?.close()
    }
  }
}

type Explainer = (index: number, before: PagePicture, after: PagePicture) => Explanation[]

function asksForAppearances(bytes: Uint8Array): boolean {
  return acroFormOf(readPdf(bytes).graph)?.needAppearances === true
}

/** A single pixel for a page that cannot be loaded. */
function pageOf(document: OpenedDocument, index: number): PagePicture {
  return document.render(index) ?? { width: 1, height: 1, pixels: new Uint8Array(4) }
}

function unable(why: string): Comparison {
  return { unable: why, pages: 0, differences: [] }
}
