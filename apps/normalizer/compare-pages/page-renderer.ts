import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium'
import {
  annotationsOf,
  memoryOf,
  type PageAnnotation,
  type PageInPdfium,
  type PageRectangle,
  textWithin,
} from './page-annotations.ts'

/** What a viewer shows of one page, four bytes a pixel: blue, green, red, alpha. */
export interface PagePicture {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array
}

export interface OpenedDocument {
  readonly pageCount: number
  /** null for a page that the renderer cannot load. */
  render(index: number): PagePicture | null
  /** As the file has them, if the page has not been rendered: rendering makes appearances. */
  annotations(index: number): PageAnnotation[]
  textWithin(index: number, rectangle: PageRectangle): string
  close(): void
}

export interface PageRenderer {
  /** null for a file that the renderer cannot open. */
  open(bytes: Uint8Array): OpenedDocument | null
}

/** A pixel for each point, but no side longer than this. */
const longestSide = 1_000

/** FPDF_ANNOT: with the appearances of annotations, as a viewer shows them. */
const withAnnotations = 1

/** PDFium as it comes with the project: nothing has to be installed. */
export async function startPageRenderer(): Promise<PageRenderer> {
  const path = createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm')
  const wasm = await readFile(path)
  const pdfium = await init({ wasmBinary: new Uint8Array(wasm).buffer })
  pdfium.PDFiumExt_Init()
  return { open: (bytes) => openDocument(pdfium, bytes) }
}

function openDocument(pdfium: WrappedPdfiumModule, bytes: Uint8Array): OpenedDocument | null {
  const { malloc, free } = pdfium.pdfium.wasmExports
  const file = malloc(bytes.length)
  memoryOf(pdfium).set(bytes, file)
  const document = pdfium.FPDF_LoadMemDocument(file, bytes.length, '')
  if (document === 0) {
    free(file)
    return null
  }
  // Fields are drawn by the part of PDFium that fills forms in; without its mark for fields that can be filled in.
  const formInfo = pdfium.PDFiumExt_OpenFormFillInfo()
  const form = pdfium.PDFiumExt_InitFormFillEnvironment(document, formInfo)
  pdfium.FPDF_SetFormFieldHighlightAlpha(form, 0)
  return {
    pageCount: pdfium.FPDF_GetPageCount(document),
    render: (index) => renderPage(pdfium, document, form, index),
    annotations: (index) => onPage(pdfium, document, form, index, annotationsOf) ?? [],
    textWithin: (index, rectangle) =>
      onPage(pdfium, document, form, index, (page) => textWithin(page, rectangle)) ?? '',
    close: () => {
      pdfium.PDFiumExt_ExitFormFillEnvironment(form)
      pdfium.PDFiumExt_CloseFormFillInfo(formInfo)
      pdfium.FPDF_CloseDocument(document)
      free(file)
    },
  }
}

function renderPage(
  pdfium: WrappedPdfiumModule,
  document: number,
  form: number,
  index: number,
): PagePicture | null {
  return onPage(pdfium, document, form, index, ({ page, width, height }) => {
    pdfium.FORM_OnAfterLoadPage(page, form)
    // With alpha: else PDFium smooths the glyphs of form fields for LCD screens and those of the page not.
    const bitmap = pdfium.FPDFBitmap_Create(width, height, 1)
    try {
      if (bitmap === 0) return null
      pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xffffffff)
      pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, withAnnotations)
      pdfium.FPDF_FFLDraw(form, bitmap, page, 0, 0, width, height, 0, withAnnotations)
      const start = pdfium.FPDFBitmap_GetBuffer(bitmap)
      const length = pdfium.FPDFBitmap_GetStride(bitmap) * height
      return { width, height, pixels: memoryOf(pdfium).slice(start, start + length) }
    } finally {
      if (bitmap !== 0) pdfium.FPDFBitmap_Destroy(bitmap)
      pdfium.FORM_OnBeforeClosePage(page, form)
    }
  })
}

/** null for a page that cannot be loaded. */
function onPage<T>(
  pdfium: WrappedPdfiumModule,
  document: number,
  form: number,
  index: number,
  use: (page: PageInPdfium) => T,
): T | null {
  const page = pdfium.FPDF_LoadPage(document, index)
  if (page === 0) return null
  try {
    const [pageWidth, pageHeight] = [
      pdfium.FPDF_GetPageWidthF(page),
      pdfium.FPDF_GetPageHeightF(page),
    ]
    const scale = Math.min(1, longestSide / Math.max(pageWidth, pageHeight, 1))
    const pixels = (side: number): number => Math.max(1, Math.round(side * scale))
    const size = { width: pixels(pageWidth), height: pixels(pageHeight) }
    return use({ pdfium, page, form, ...size })
  } finally {
    pdfium.FPDF_ClosePage(page)
  }
}
