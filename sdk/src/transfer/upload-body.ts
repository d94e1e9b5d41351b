import { isBrowser } from '../runtime.ts'
import { bytesOf, chunksOf, openPdf, type OpenedPdf, type PdfSource } from './pdf-source.ts'
import { readable } from './readable.ts'

/** The body of one attempt and the headers that it needs. */
export interface UploadBody {
  readonly body: FormData | ReadableStream<Uint8Array>
  readonly headers: Record<string, string>
  /** What the caller's own stream or file threw, which fetch reports like a fault of the network. */
  readonly source: { failure?: { readonly reason: unknown } }
}

const fileName = 'document.pdf'
const contentType = 'application/pdf'

/** A multipart form (RFC 7578) with the text fields first, so that they are known when the file arrives. */
export async function uploadBody(
  source: PdfSource,
  fields: Readonly<Record<string, string>>,
): Promise<UploadBody> {
  const pdf = await openPdf(source)
  if (isBrowser()) return formWith(await blobOf(pdf), fields)
  const boundary = `pdfnorm-${crypto.randomUUID()}`
  const watched: UploadBody['source'] = {}
  return {
    body: readable(multipart(watch(chunksOf(pdf), watched), fields, boundary)),
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    source: watched,
  }
}

/** A browser sends a Blob piece by piece, and one that lies on disk is read from there. */
function formWith(file: Blob, fields: Readonly<Record<string, string>>): UploadBody {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([file], { type: contentType }), fileName)
  return { body: form, headers: {}, source: {} }
}

/** Browsers keep a large Blob on disk. */
async function blobOf(pdf: OpenedPdf): Promise<Blob> {
  if (pdf instanceof Blob) return pdf
  const bytes = bytesOf(pdf)
  if (bytes !== null) return new Blob([bytes as Uint8Array<ArrayBuffer>])
  return new Response(readable(chunksOf(pdf))).blob()
}

async function* watch(
  file: AsyncIterable<Uint8Array>,
  source: UploadBody['source'],
): AsyncGenerator<Uint8Array> {
  try {
    yield* file
  } catch (reason) {
    source.failure = { reason }
    throw reason
  }
}

async function* multipart(
  file: AsyncIterable<Uint8Array>,
  fields: Readonly<Record<string, string>>,
  boundary: string,
): AsyncGenerator<Uint8Array> {
  const text = new TextEncoder()
  for (const [name, value] of Object.entries(fields)) {
    yield text.encode(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
  }
  yield text.encode(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${fileName}"\r\n` +
      `Content-Type: ${contentType}\r\n\r\n`,
  )
  yield* file
  yield text.encode(`\r\n--${boundary}--\r\n`)
}
