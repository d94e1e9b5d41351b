import type { WrappedPdfiumModule } from '@embedpdf/pdfium'

/** An annotation as PDFium reads it: a reading that is not the engine's own. */
export interface PageAnnotation {
  readonly kind: 'widget' | 'media or file' | 'other'
  /** In user space. */
  readonly rectangle: PageRectangle
  /** In the picture: left, top, right, bottom. */
  readonly box: PixelBox
  /** Whether the file draws it in its present state. */
  readonly hasAppearance: boolean
  readonly field: PageField | null
}

export interface PageRectangle {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

export type PixelBox = readonly [number, number, number, number]

export interface PageField {
  readonly type: 'text' | 'combo box' | 'list' | 'button' | 'mark' | 'other'
  /** Whether its characters are not told (ISO 32000-2, table 231). */
  readonly isPassword: boolean
  /** What a text field or a combo box shows; what a list may show, one option after another. */
  readonly text: string
  readonly isChecked: boolean
}

export interface PageInPdfium {
  readonly pdfium: WrappedPdfiumModule
  readonly page: number
  readonly form: number
  /** Of the picture, in pixels. */
  readonly width: number
  readonly height: number
}

/** Numbers of PDFium's fpdf_annot.h and fpdf_formfill.h. */
const widget = 20
const mediaOrFile: ReadonlySet<number> = new Set([17, 18, 19, 21, 25, 26])
const fieldTypes: ReadonlyMap<number, PageField['type']> = new Map([
  [1, 'button'],
  [2, 'mark'],
  [3, 'mark'],
  [4, 'combo box'],
  [5, 'list'],
  [6, 'text'],
])
const normalAppearance = 0
const passwordFlag = 1 << 13

export function annotationsOf(inside: PageInPdfium): PageAnnotation[] {
  const { pdfium, page } = inside
  const count = Math.max(0, pdfium.FPDFPage_GetAnnotCount(page))
  return Array.from({ length: count }, (_, index) => {
    const annotation = pdfium.FPDFPage_GetAnnot(page, index)
    try {
      return annotation === 0 ? null : annotationOf(inside, annotation)
    } finally {
      if (annotation !== 0) pdfium.FPDFPage_CloseAnnot(annotation)
    }
  }).filter((annotation) => annotation !== null)
}

/** What PDFium extracts of the characters within a rectangle. */
export function textWithin(
  { pdfium, page }: Pick<PageInPdfium, 'pdfium' | 'page'>,
  { left, top, right, bottom }: PageRectangle,
): string {
  const text = pdfium.FPDFText_LoadPage(page)
  if (text === 0) return ''
  const read = (buffer: number, length: number): number =>
    pdfium.FPDFText_GetBoundedText(text, left, top, right, bottom, buffer, length)
  try {
    const units = read(0, 0)
    return units <= 0 ? '' : wideString(pdfium, units * 2, (at) => read(at, units))
  } finally {
    pdfium.FPDFText_ClosePage(text)
  }
}

function annotationOf(inside: PageInPdfium, annotation: number): PageAnnotation | null {
  const { pdfium } = inside
  const rectangle = rectangleOf(pdfium, annotation)
  if (!rectangle) return null
  const subtype = pdfium.FPDFAnnot_GetSubtype(annotation)
  const isWidget = subtype === widget
  return {
    kind: isWidget ? 'widget' : mediaOrFile.has(subtype) ? 'media or file' : 'other',
    rectangle,
    box: boxOf(inside, rectangle),
    // The length of an empty string is that of its end.
    hasAppearance: pdfium.FPDFAnnot_GetAP(annotation, normalAppearance, 0, 0) > 2,
    field: isWidget ? fieldOf(inside, annotation) : null,
  }
}

function fieldOf({ pdfium, form }: PageInPdfium, annotation: number): PageField {
  const type = fieldTypes.get(pdfium.FPDFAnnot_GetFormFieldType(form, annotation)) ?? 'other'
  const flags = pdfium.FPDFAnnot_GetFormFieldFlags(form, annotation)
  const value = sizedString(pdfium, (buffer, length) =>
    pdfium.FPDFAnnot_GetFormFieldValue(form, annotation, buffer, length),
  )
  const state = sizedString(pdfium, (buffer, length) =>
    pdfium.FPDFAnnot_GetStringValue(annotation, 'AS', buffer, length),
  )
  const options = type === 'list' || type === 'combo box' ? optionsOf(pdfium, form, annotation) : []
  const chosen = options.find(({ isSelected }) => isSelected)?.label
  return {
    type,
    isPassword: type === 'text' && (flags & passwordFlag) !== 0,
    text: type === 'list' ? options.map(({ label }) => label).join('') : (chosen ?? value),
    isChecked: type === 'mark' && state !== '' && state !== 'Off',
  }
}

function optionsOf(
  pdfium: WrappedPdfiumModule,
  form: number,
  annotation: number,
): { label: string; isSelected: boolean }[] {
  const count = Math.max(0, pdfium.FPDFAnnot_GetOptionCount(form, annotation))
  return Array.from({ length: count }, (_, index) => ({
    label: sizedString(pdfium, (buffer, length) =>
      pdfium.FPDFAnnot_GetOptionLabel(form, annotation, index, buffer, length),
    ),
    isSelected: pdfium.FPDFAnnot_IsOptionSelected(form, annotation, index),
  }))
}

/** FS_RECTF: four numbers of four bytes, left, top, right, bottom. */
function rectangleOf(pdfium: WrappedPdfiumModule, annotation: number): PageRectangle | null {
  return withMemory(pdfium, 16, (at) => {
    if (!pdfium.FPDFAnnot_GetRect(annotation, at)) return null
    const view = viewOf(pdfium, at, 16)
    const [one = 0, two = 0, three = 0, four = 0] = [0, 4, 8, 12].map((offset) =>
      view.getFloat32(offset, true),
    )
    return {
      left: Math.min(one, three),
      top: Math.max(two, four),
      right: Math.max(one, three),
      bottom: Math.min(two, four),
    }
  })
}

function boxOf(inside: PageInPdfium, { left, top, right, bottom }: PageRectangle): PixelBox {
  const [x1, y1] = pixelOf(inside, left, top)
  const [x2, y2] = pixelOf(inside, right, bottom)
  return [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)]
}

function pixelOf(
  { pdfium, page, width, height }: PageInPdfium,
  x: number,
  y: number,
): [number, number] {
  return withMemory(pdfium, 8, (at) => {
    pdfium.FPDF_PageToDevice(page, 0, 0, width, height, 0, x, y, at, at + 4)
    const view = viewOf(pdfium, at, 8)
    return [view.getInt32(0, true), view.getInt32(4, true)]
  })
}

function sizedString(
  pdfium: WrappedPdfiumModule,
  read: (buffer: number, length: number) => number,
): string {
  const length = read(0, 0)
  return length <= 2 ? '' : wideString(pdfium, length, (at) => read(at, length))
}

/** UTF-16, with or without its end. */
function wideString(
  pdfium: WrappedPdfiumModule,
  bytes: number,
  fill: (at: number) => unknown,
): string {
  return withMemory(pdfium, bytes, (at) => {
    fill(at)
    const { buffer, byteOffset } = viewOf(pdfium, at, bytes)
    return Buffer.from(buffer, byteOffset, bytes).toString('utf16le').replaceAll('\0', '')
  })
}

function withMemory<T>(pdfium: WrappedPdfiumModule, bytes: number, use: (at: number) => T): T {
  const { malloc, free } = pdfium.pdfium.wasmExports
  const at = malloc(bytes)
  try {
    return use(at)
  } finally {
    free(at)
  }
}

function viewOf(pdfium: WrappedPdfiumModule, at: number, bytes: number): DataView {
  const memory = memoryOf(pdfium)
  return new DataView(memory.buffer, memory.byteOffset + at, bytes)
}

/** The instance's memory as it is now: growing replaces it. */
export function memoryOf(pdfium: WrappedPdfiumModule): Uint8Array {
  const memory: unknown = Reflect.get(pdfium.pdfium, 'HEAPU8')
  if (!(memory instanceof Uint8Array)) throw new Error('PDFium has no memory')
  return memory
}
