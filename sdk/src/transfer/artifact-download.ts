import { ConnectionError, TimeoutError } from '../error/connection-error.ts'
import { PdfnormError } from '../error/pdfnorm-error.ts'
import { VerificationError } from '../error/verification-error.ts'
import { portableSha256 } from './portable-sha256.ts'
import { readable } from './readable.ts'
import { saveFile } from './save-file.ts'
import { nodeSha256 } from './sha256.ts'

/**
 * A normalized file on its way. Nothing is sent before it is read, and each way of reading asks anew. A connection
 * that breaks is taken up where it broke; what arrives is hashed on the way, and when it is not what its hash names,
 * reading ends with a {@link VerificationError}.
 */
export interface ArtifactDownload {
  bytes(): Promise<Uint8Array<ArrayBuffer>>
  blob(): Promise<Blob>
  /** The hash is only known at the end: the stream fails there when it is wrong. */
  stream(): ReadableStream<Uint8Array>
  /** Writes beside the file and renames at the end: there is never a part of it (Node, Bun, Deno). */
  toFile(path: string | URL): Promise<void>
}

/**
 * @param hash 64 lower-case hexadecimal digits
 * @param request asks for the file, from that byte on
 * @param options.maxRetries how often a broken connection is taken up again
 */
export function artifactDownload(
  hash: string,
  request: (fromByte: number) => Promise<Response>,
  { maxRetries, signal }: { maxRetries: number; signal?: AbortSignal | undefined },
): ArtifactDownload {
  const chunks = () => verifiedChunks(hash, request, maxRetries, signal)
  return {
    bytes: async () => joined(await all(chunks())),
    blob: async () => new Blob(await all(chunks()), { type: 'application/pdf' }),
    stream: () => readable(chunks()),
    toFile: (path) => saveFile(path, chunks()),
  }
}

async function* verifiedChunks(
  hash: string,
  request: (fromByte: number) => Promise<Response>,
  maxRetries: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  // WebCrypto digests whole buffers only, and a stream must not be one.
  const digest = nodeSha256() ?? portableSha256()
  let received = 0
  let response: Response | null = null
  for (let retries = 0; ; retries++) {
    try {
      response = await request(received)
      for await (const chunk of bodyFrom(response, received)) {
        digest.update(chunk)
        received += chunk.length
        yield chunk
      }
      break
    } catch (error) {
      signal?.throwIfAborted()
      // All of it had arrived when the connection broke.
      if (error instanceof PdfnormError && error.status === 416) break
      if (!(error instanceof ConnectionError) || response === null || retries >= maxRetries)
        throw error
    }
  }
  const actual = digest.hex()
  if (actual === hash) return
  throw new VerificationError('HASH_MISMATCH', `Asked for ${hash}, got ${actual}`, {
    status: response?.status ?? 416,
    requestId: response?.headers.get('x-request-id') ?? null,
  })
}

/** The body from that byte of the file on; a service that does not know ranges sends all of it. */
async function* bodyFrom(
  response: Response,
  fromByte: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = response.body?.getReader()
  let left = Number(response.headers.get('content-length') ?? 0)
  let skip = response.status === 206 ? 0 : fromByte
  let cause: unknown
  try {
    for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
      left -= read.value.length
      const chunk = read.value.subarray(Math.min(skip, read.value.length))
      skip -= read.value.length - chunk.length
      if (chunk.length > 0) yield chunk
    }
    // Not every runtime says so when a connection closes before the announced end.
    if (left <= 0) return
  } catch (error) {
    cause = error
  } finally {
    await reader?.cancel().catch(() => {})
  }
  const facts = {
    status: response.status,
    requestId: response.headers.get('x-request-id'),
    cause,
  }
  if (cause instanceof DOMException && cause.name === 'TimeoutError') {
    throw new TimeoutError('TIMED_OUT', 'The file did not arrive in time', facts)
  }
  throw new ConnectionError('CONNECTION_FAILED', 'The file broke off', facts)
}

async function all<Chunk>(chunks: AsyncIterable<Chunk>): Promise<Chunk[]> {
  const list: Chunk[] = []
  for await (const chunk of chunks) list.push(chunk)
  return list
}

function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}
