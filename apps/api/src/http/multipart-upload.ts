import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import busboy from 'busboy'
import type { ObjectStore } from '../artifact/object-store.ts'
import { letAnswerThrough } from './let-answer-through.ts'
import { ReceivedUpload, type Upload, type UploadRefusal } from './received-upload.ts'

export interface UploadLimits {
  /** Beyond it the upload is cut off. */
  readonly uploadMaxBytes: number
  /** Beyond it the file is hashed to its end, but not kept. */
  readonly keepMaxBytes: number
}

/**
 * Reads a multipart/form-data body (RFC 7578) with one PDF in the part `file`: the bytes go to the storage's
 * staging area while they are hashed, and never lie in memory as a whole. Fields may come before or after the
 * file; unknown parts are ignored. An upload without exactly one PDF leaves nothing behind.
 */
export async function readUpload(
  request: IncomingMessage,
  objects: Pick<ObjectStore, 'stage'>,
  limits: UploadLimits,
): Promise<Upload | UploadRefusal> {
  const declaredBytes = Number(request.headers['content-length'] ?? 0)
  if (declaredBytes > limits.uploadMaxBytes + formOverheadBytes) {
    letAnswerThrough(request)
    return tooLarge(limits)
  }
  const parser = createParser(request, limits)
  if (parser instanceof Refusal) return parser

  const received = new ReceivedUpload()
  try {
    await receive(request, parser, received, objects, limits)
  } catch (error) {
    await received.discard()
    throw error
  }

  const upload = received.upload()
  if (upload instanceof Refusal || upload.file === null) await received.discard()
  return upload
}

/** Boundaries, part headers and text fields beside the file. */
const formOverheadBytes = 1024 * 1024

/** Far above what the interface's ten fields need; unknown fields are ignored, not collected without end. */
const partLimits = { fieldSize: 16 * 1024, fields: 100, files: 10, parts: 110 }

/** PDF Reference 1.7, appendix H, implementation note 13: the header may stand within the first 1,024 bytes. */
const headerWindowBytes = 1024

function createParser(
  request: IncomingMessage,
  limits: UploadLimits,
): busboy.Busboy | Refusal<'VALIDATION_ERROR' | 'UNSUPPORTED_MEDIA_TYPE'> {
  if (!/^multipart\/form-data\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
    return new Refusal('UNSUPPORTED_MEDIA_TYPE', 'Send the PDF as multipart/form-data')
  }
  try {
    return busboy({
      headers: request.headers,
      // busboy takes a file of exactly the limit for truncated.
      limits: { ...partLimits, fileSize: limits.uploadMaxBytes + 1 },
    })
  } catch {
    return malformed('the Content-Type names no boundary')
  }
}

async function receive(
  request: IncomingMessage,
  parser: busboy.Busboy,
  received: ReceivedUpload,
  objects: Pick<ObjectStore, 'stage'>,
  limits: UploadLimits,
): Promise<void> {
  const files: Promise<void>[] = []
  let storageFault: unknown = null
  const cutOff = () => {
    received.refuse(tooLarge(limits))
    request.unpipe(parser)
    parser.destroy()
    letAnswerThrough(request)
  }

  parser.on('field', (name: string | undefined, value, info) => {
    if (name === undefined) return
    if (info.valueTruncated && name !== 'file') {
      received.fault({ location: `body.${name}`, code: 'too_big', message: 'is too long' })
      return
    }
    received.field(name, value)
  })
  parser.on('file', (name: string | undefined, stream: Readable) => {
    stream.once('limit', cutOff)
    stream.on('error', ignoreBrokenOff)
    if (name !== 'file' || !received.startFile()) {
      stream.resume()
      return
    }
    const file = receiveFile(stream, received, objects, limits).catch((error: unknown) => {
      storageFault = error
      parser.destroy()
      letAnswerThrough(request)
    })
    files.push(file)
  })
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
    parser.on(limit, () => {
      received.refuse(malformed('the form has more parts than any use of it needs'))
    })
  }

  let bodyBytes = 0
  request.on('data', (chunk: Uint8Array) => {
    bodyBytes += chunk.length
    if (bodyBytes > limits.uploadMaxBytes + formOverheadBytes && !parser.destroyed) cutOff()
  })

  const parsed = new Promise<void>((resolve) => {
    parser.on('error', (error: unknown) => {
      received.refuse(
        malformed(error instanceof Error ? error.message.toLowerCase() : 'unreadable'),
      )
      // It reports a malformed part header without ending, and would wait for bytes for ever.
      parser.destroy()
    })
    parser.once('close', () => {
      request.unpipe(parser)
      request.resume()
      resolve()
    })
    request.once('close', () => {
      if (!request.complete) parser.destroy()
    })
    if (request.destroyed) parser.destroy()
  })
  request.pipe(parser)
  await parsed
  await Promise.all(files)
  if (storageFault !== null) throw storageFault
}

async function receiveFile(
  stream: Readable,
  received: ReceivedUpload,
  objects: Pick<ObjectStore, 'stage'>,
  limits: UploadLimits,
): Promise<void> {
  const staged = await objects.stage()
  received.keep(staged)

  const hash = createHash('sha256')
  let head = Buffer.alloc(0)
  let sizeBytes = 0
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (received.dropsFile) continue
      sizeBytes += chunk.length
      hash.update(chunk)
      if (head.length < headerWindowBytes) {
        head = Buffer.concat([head, chunk]).subarray(0, headerWindowBytes)
        if (head.length === headerWindowBytes && !hasPdfHeader(head)) received.faultOfFile(notPdf)
      }
      if (sizeBytes <= limits.keepMaxBytes) await staged.write(chunk)
      else if (sizeBytes - chunk.length <= limits.keepMaxBytes) await staged.discard()
    }
  } catch (error) {
    // The parser ends a file that it could not read to its end with an error of its own; the refusal says it.
    if (error !== stream.errored) throw error
    received.refuse(malformed('the file breaks off'))
    return
  }

  if (sizeBytes === 0) received.faultOfFile('The file is empty')
  else if (!hasPdfHeader(head)) received.faultOfFile(notPdf)
  if (received.dropsFile) return

  const kept = sizeBytes <= limits.keepMaxBytes
  if (kept) await staged.finish()
  received.finishFile({ sha256: hash.digest('hex'), sizeBytes, staged: kept ? staged : null })
}

function hasPdfHeader(head: Buffer): boolean {
  return head.includes('%PDF-', 0, 'latin1')
}

const notPdf = `The file is not a PDF: there is no %PDF- in its first ${headerWindowBytes} bytes`

function tooLarge(limits: UploadLimits): Refusal<'FILE_TOO_LARGE'> {
  return new Refusal(
    'FILE_TOO_LARGE',
    `The service takes uploads of at most ${limits.uploadMaxBytes} bytes`,
  )
}

function malformed(what: string): Refusal<'VALIDATION_ERROR'> {
  return new Refusal('VALIDATION_ERROR', `The body is not well-formed multipart/form-data: ${what}`)
}

function ignoreBrokenOff(): void {
  // The parser reports the same fault.
}
