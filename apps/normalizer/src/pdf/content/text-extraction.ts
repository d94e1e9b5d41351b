import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium'

/** The text engine could not read the document; nothing is known of its text. */
export class TextExtractionError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'TextExtractionError'
  }
}

/** Memory of the instance never shrinks (engine, section 3): above this a new one is made for the next document. */
const recycleAboveBytes = 256 * 1024 * 1024

/**
 * One instance for the thread: it is made when the first document comes, costs some 65 ms, and is not used by two
 * documents at once because nothing in between waits.
 */
let engine: Promise<WrappedPdfiumModule> | null = null

/**
 * The text of each page as PDFium reads it. Together with the engine's version this defines the content hash: another engine
 * breaks lines and words otherwise.
 *
 * @throws {TextExtractionError} when the engine cannot open the document or gives up within it
 */
export async function extractPageTexts(bytes: Uint8Array): Promise<string[]> {
  engine ??= startEngine().catch((error: unknown) => {
    engine = null
    throw error
  })
  const pdfium = await engine
  try {
    return documentTexts(pdfium, bytes)
  } catch (error) {
    // After a trap the instance's memory can be anything.
    engine = null
    if (error instanceof TextExtractionError) throw error
    throw new TextExtractionError(error instanceof Error ? error.message : String(error))
  } finally {
    if (memoryOf(pdfium).byteLength > recycleAboveBytes) engine = null
  }
}

async function startEngine(): Promise<WrappedPdfiumModule> {
  const path = createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm')
  const wasm = await readFile(path)
  const pdfium = await init({ wasmBinary: new Uint8Array(wasm).buffer })
  pdfium.PDFiumExt_Init()
  return pdfium
}

function documentTexts(pdfium: WrappedPdfiumModule, bytes: Uint8Array): string[] {
  const file = allocate(pdfium, bytes.length)
  try {
    // Read again: growing the memory replaces the view.
    memoryOf(pdfium).set(bytes, file)
    const document = pdfium.FPDF_LoadMemDocument(file, bytes.length, '')
    if (document === 0) throw new TextExtractionError('the document cannot be opened')
    try {
      const count = pdfium.FPDF_GetPageCount(document)
      return Array.from({ length: count }, (_, index) => pageText(pdfium, document, index))
    } finally {
      pdfium.FPDF_CloseDocument(document)
    }
  } finally {
    pdfium.pdfium.wasmExports.free(file)
  }
}

/** A page that cannot be loaded has no text, as for a reader. */
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
