/**
 * What can be uploaded. A stream can be read once, so an upload of one is not retried; a function that makes it
 * anew for each attempt is.
 */
export type PdfSource =
  | Blob
  | Uint8Array<ArrayBuffer>
  | ArrayBuffer
  | PdfStream
  | (() => Blob | PdfStream | Promise<Blob | PdfStream>)

/** A web stream, or whatever gives bytes in turn, as the streams of Node do. */
export type PdfStream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>

/** The body of one attempt and the headers that it needs. */
export interface UploadBody {
  readonly body: FormData | ReadableStream<Uint8Array>
  readonly headers: Record<string, string>
  /** What the caller's own stream threw, which fetch reports like a fault of the network. */
  readonly source: { failure?: { readonly reason: unknown } }
}

const fileName = 'document.pdf'
const contentType = 'application/pdf'

/** Whether the upload can be sent a second time. */
export function isRepeatable(source: PdfSource): boolean {
  return (
    source instanceof Blob ||
    source instanceof Uint8Array ||
    source instanceof ArrayBuffer ||
    typeof source === 'function'
  )
}

/** A multipart form (RFC 7578) with the text fields first, so that they are known when the file arrives. */
export async function uploadBody(
  source: PdfSource,
  fields: Readonly<Record<string, string>>,
): Promise<UploadBody> {
  const file = typeof source === 'function' ? await source() : source
  if (file instanceof Blob || file instanceof Uint8Array || file instanceof ArrayBuffer) {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    form.append('file', new Blob([file], { type: contentType }), fileName)
    return { body: form, headers: {}, source: {} }
  }
  const boundary = `pdfnorm-${crypto.randomUUID()}`
  const watched: UploadBody['source'] = {}
  return {
    body: streamOf(multipart(watch(file, watched), fields, boundary)),
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    source: watched,
  }
}

async function* watch(file: PdfStream, source: UploadBody['source']): AsyncGenerator<Uint8Array> {
  try {
    yield* file instanceof ReadableStream ? chunksOf(file) : file
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

/** Not every browser iterates over a stream. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value
  } finally {
    await reader.cancel()
  }
}

function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const next = await chunks.next()
      if (next.done === true) controller.close()
      else controller.enqueue(next.value)
    },
    async cancel() {
      await chunks.return(undefined)
    },
  })
}
