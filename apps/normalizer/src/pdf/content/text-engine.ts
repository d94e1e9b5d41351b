import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium'
import { withMemoryMaximum } from './bounded-module.ts'

/** The text engine could not read the document; nothing is known of its text. */
export class TextExtractionError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'TextExtractionError'
  }
}

/** One instance of PDFium, for one thread. After a fault its memory can be anything: it must not be used again. */
export interface TextEngine {
  /** Its memory has grown so large that the next document should get another instance. */
  readonly wornOut: boolean
  /** Its memory has grown as far as it may: a fault of it now says that the document asks for more. */
  readonly exhausted: boolean
  /** @throws {TextExtractionError} when the engine cannot open the document */
  open(bytes: Uint8Array): TextDocument
}

/** A document that the engine has open, until it is closed. */
export interface TextDocument {
  readonly pageCount: number
  /** The text of the page as PDFium reads it; of a page that cannot be loaded none, as for a reader. */
  pageText(index: number): string
  close(): void
}

const mebibyte = 1024 * 1024

/** Memory of an instance never shrinks (engine, section 3). */
const wornOutAboveBytes = 128 * mebibyte

/** Files that fit into an engine of the usual size, with room for what they hold. */
export const largestUsualFile = 32 * mebibyte
/** The engine would take up to 2 GiB. */
const usualMemory = 224 * mebibyte
const memoryForLargeFiles = 640 * mebibyte

/**
 * Costs some 65 ms.
 *
 * @param largestFile in bytes; beyond {@link largestUsualFile} the engine may take more memory
 */
export async function startTextEngine(largestFile = largestUsualFile): Promise<TextEngine> {
  const maximumBytes = largestFile > largestUsualFile ? memoryForLargeFiles : usualMemory
  const path = createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm')
  const wasm = await readFile(path)
  const pdfium = await init({
    wasmBinary: withMemoryMaximum(wasm, maximumBytes).buffer,
    // It would tell the terminal that it got no more memory; here that is an exception.
    printErr: () => {},
  })
  pdfium.PDFiumExt_Init()
  return {
    get wornOut() {
      return memoryOf(pdfium).byteLength > wornOutAboveBytes
    },
    get exhausted() {
      return memoryOf(pdfium).byteLength > (maximumBytes * 2) / 3
    },
    open: (bytes) => openDocument(pdfium, bytes),
  }
}

function openDocument(pdfium: WrappedPdfiumModule, bytes: Uint8Array): TextDocument {
  const file = allocate(pdfium, bytes.length)
  // Read again: growing the memory replaces the view.
  memoryOf(pdfium).set(bytes, file)
  const document = pdfium.FPDF_LoadMemDocument(file, bytes.length, '')
  if (document === 0) {
    pdfium.pdfium.wasmExports.free(file)
    throw new TextExtractionError('the document cannot be opened')
  }
  return {
    pageCount: pdfium.FPDF_GetPageCount(document),
    pageText: (index) => pageText(pdfium, document, index),
    close() {
      pdfium.FPDF_CloseDocument(document)
      pdfium.pdfium.wasmExports.free(file)
    },
  }
}

function pageText(pdfium: WrappedPdfiumModule, document: number, index: number): string {
  const page = pdfium.FPDF_LoadPage(document, index)
  if (page === 0) return ''
  try {
    const text = pdfium.FPDFText_LoadPage(page)
    if (text === 0) return ''
    try {
      return characters(pdfium, text)
    } finally {
      pdfium.FPDFText_ClosePage(text)
    }
  } finally {
    pdfium.FPDF_ClosePage(page)
  }
}

function characters(pdfium: WrappedPdfiumModule, text: number): string {
  const count = pdfium.FPDFText_CountChars(text)
  if (count <= 0) return ''
  // UTF-16LE with a terminator; a character outside the basic plane takes two units.
  const units = count * 2 + 1
  const buffer = allocate(pdfium, units * 2)
  try {
    const got = pdfium.FPDFText_GetText(text, 0, count, buffer)
    const memory = memoryOf(pdfium)
    const view = Buffer.from(memory.buffer, memory.byteOffset + buffer, Math.max(0, got - 1) * 2)
    return view.toString('utf16le')
  } finally {
    pdfium.pdfium.wasmExports.free(buffer)
  }
}

function allocate(pdfium: WrappedPdfiumModule, length: number): number {
  const pointer = pdfium.pdfium.wasmExports.malloc(length)
  if (pointer === 0) throw new TextExtractionError('the document is too large for the text engine')
  return pointer
}

/** The instance's memory as it is now; the package's own types need ones of Emscripten that it does not bring. */
function memoryOf(pdfium: WrappedPdfiumModule): Uint8Array {
  const memory: unknown = Reflect.get(pdfium.pdfium, 'HEAPU8')
  if (!(memory instanceof Uint8Array)) throw new TextExtractionError('the engine has no memory')
  return memory
}
