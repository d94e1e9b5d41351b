import { getDocument, GlobalWorkerOptions, version } from 'pdfjs-dist'
// oxlint-disable-next-line import/default -- Vite gives the address of the file
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url'

GlobalWorkerOptions.workerSrc = workerUrl

/** Fonts, character maps and decoders, beside the portal's own files (build/build-portal.ts). */
const files = `/assets/pdfjs-${version}`

export interface OpenPdf {
  pages: number
  /** Draws a page into a canvas, which gets the page's proportions. */
  draw(page: number, canvas: HTMLCanvasElement): Drawing
}

export interface Drawing {
  /** Rejects when the page cannot be drawn, and when it is cancelled. */
  done: Promise<void>
  cancel(): void
  isCancelled(): boolean
}

/** The width in which a page is drawn, in pixels; the canvas shows it as wide as there is room. */
const drawnWidth = 1000

/**
 * Opens a PDF to be looked at. Nothing in it is run: no scripts, no forms, no links.
 *
 * @throws Error when it is none that can be read
 */
export async function openPdf(data: Uint8Array): Promise<OpenPdf> {
  const document = await getDocument({
    data,
    cMapUrl: `${files}/cmaps/`,
    standardFontDataUrl: `${files}/standard_fonts/`,
    iccUrl: `${files}/iccs/`,
    wasmUrl: `${files}/wasm/`,
    // The policy of the page lets in programs, not WebAssembly: these decoders have a form in plain JavaScript.
    useWasm: false,
    // An image of gigabytes is not worth the tab.
    maxImageSize: 64 * 1024 * 1024,
    stopAtErrors: false,
    verbosity: 0,
  }).promise

  return {
    pages: document.numPages,
    draw(number, canvas) {
      let isCancelled = false
      let stop = () => {}
      const draw = async () => {
        const page = await document.getPage(number)
        if (isCancelled) return
        const { width } = page.getViewport({ scale: 1 })
        const viewport = page.getViewport({ scale: drawnWidth / width })
        canvas.width = Math.round(viewport.width)
        canvas.height = Math.min(Math.round(viewport.height), 8 * drawnWidth)
        const task = page.render({ canvas, viewport })
        stop = () => task.cancel()
        await task.promise
      }
      return {
        done: draw(),
        cancel() {
          isCancelled = true
          stop()
        },
        isCancelled: () => isCancelled,
      }
    },
  }
}
