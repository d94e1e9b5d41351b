import { nodeModules } from '../runtime.ts'

/**
 * A PDF: a path or `file:` address (Node, Bun, Deno), its bytes, a Blob or File, a stream, the Response of a fetch,
 * or a function that gives one of them. A stream can be read once, so its upload is not repeated; a function that
 * makes it anew for each attempt lets it be.
 */
export type PdfSource = OpenedPdf | (() => OpenedPdf | Promise<OpenedPdf>)

export type OpenedPdf = string | URL | Blob | Uint8Array | ArrayBuffer | PdfStream | Response

/** A web stream, or whatever gives bytes in turn, as the streams of Node do. */
export type PdfStream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

/** Bytes that are handed on at a time, so that nothing copies a whole file. */
const sliceBytes = 64 * 1024

/** Whether the file can be read a second time. */
export function isRepeatable(source: PdfSource): boolean {
  return (
    typeof source === 'function' ||
    typeof source === 'string' ||
    source instanceof URL ||
    source instanceof Blob ||
    bytesOf(source) !== null
  )
}

/** @throws {TypeError} when it is none of the things that a PDF can be */
export async function openPdf(source: PdfSource): Promise<OpenedPdf> {
  const opened = typeof source === 'function' ? await source() : source
  if (isRepeatable(opened) || opened instanceof Response) return opened
  if (opened instanceof ReadableStream || isStream(opened)) return opened
  throw new TypeError('A PDF is a path, bytes, a Blob, a stream, a Response, or a function')
}

/** The file from its beginning to its end. */
export async function* chunksOf(pdf: OpenedPdf): AsyncGenerator<Uint8Array> {
  const bytes = bytesOf(pdf)
  if (bytes !== null) {
    for (let at = 0; at < bytes.length; at += sliceBytes) yield bytes.subarray(at, at + sliceBytes)
  } else if (typeof pdf === 'string' || pdf instanceof URL) {
    yield* fileChunks(pdf)
  } else if (pdf instanceof Blob) {
    yield* streamChunks(pdf.stream())
  } else if (pdf instanceof Response) {
    yield* streamChunks(bodyOf(pdf))
  } else if (pdf instanceof ReadableStream) {
    yield* streamChunks(pdf)
  } else if (isStream(pdf)) {
    yield* pdf
  }
}

/** Bytes at hand, whatever holds them; they are not copied. */
export function bytesOf(pdf: unknown): Uint8Array | null {
  if (pdf instanceof Uint8Array) return pdf
  return pdf instanceof ArrayBuffer ? new Uint8Array(pdf) : null
}

function isStream(value: unknown): value is AsyncIterable<Uint8Array> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

async function* fileChunks(path: string | URL): AsyncGenerator<Uint8Array> {
  const fs = nodeModules()?.getBuiltinModule('node:fs')
  if (fs === undefined)
    throw new TypeError('There are no files here: give bytes, a Blob or a stream')
  yield* fs.createReadStream(path, { highWaterMark: sliceBytes })
}

function bodyOf(response: Response): ReadableStream<Uint8Array> {
  if (response.ok && response.body !== null) return response.body
  throw new TypeError(`The Response (${response.status}) has no file to send`)
}

/** Not every browser iterates over a stream. */
async function* streamChunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value
  } finally {
    await reader.cancel()
  }
}
