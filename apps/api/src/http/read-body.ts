import { metadataOf, type MountedEndpoint } from '../mounted-endpoint.ts'
import { type FieldFault, Refusal } from '@pdfnorm/contracts/schema/problem'
import { json, raw, type Request, type RequestHandler, type Response } from 'express'
import { z } from 'zod'

/** Longest body that is not an upload. The longest sensible one is a few kilobytes. */
const bodyMaxBytes = 1024 * 1024

const readJson = json({ limit: bodyMaxBytes, type: () => true })
const readRaw = raw({ limit: bodyMaxBytes, type: () => true })

/**
 * Reads the body that the endpoint's contract asks for. An upload stays unread: its route streams
 * it. Runs after the caller is known, so nobody without credentials makes the service read.
 */
export async function readBody(
  endpoint: MountedEndpoint,
  req: Request,
  res: Response,
): Promise<Refusal | null> {
  const metadata = metadataOf(endpoint)
  const refusal = metadata.upload ? readableUpload(req) : null
  if (refusal !== null) return refusal
  if (req.headers.expect?.toLowerCase() === '100-continue') res.writeContinue()

  if (metadata.rawBody) return run(readRaw, req, res)
  if (metadata.upload) return null
  if (!(endpoint.body instanceof z.ZodType)) return null

  if (!hasBody(req)) {
    req.body = {}
    return null
  }
  if (!req.is(['json', '+json'])) return unsupported('application/json')
  return run(readJson, req, res)
}

/** Parts are read as they come: a coding of the whole (RFC 9110, 8.4) would have to be undone first. */
function readableUpload(req: Request): Refusal<'UNSUPPORTED_MEDIA_TYPE'> | null {
  if (!req.is('multipart/form-data')) return unsupported('multipart/form-data')
  const coding = req.get('content-encoding') ?? 'identity'
  return coding.toLowerCase() === 'identity'
    ? null
    : unsupported('multipart/form-data without a Content-Encoding')
}

/** RFC 9112, 6: a message has a body if one of these fields announces it. */
function hasBody(req: Request): boolean {
  const length = req.headers['content-length']
  return req.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

function unsupported(expected: string): Refusal<'UNSUPPORTED_MEDIA_TYPE'> {
  return new Refusal('UNSUPPORTED_MEDIA_TYPE', `This endpoint takes ${expected}.`)
}

async function run(read: RequestHandler, req: Request, res: Response): Promise<Refusal | null> {
  try {
    await new Promise<void>((resolve, reject) => {
      void read(req, res, (error?: unknown) => (error ? reject(error) : resolve()))
    })
    return null
  } catch (error) {
    const refusal = bodyRefusal(error)
    if (refusal === null) throw error
    return refusal
  }
}

/** What body-parser calls the faults of a body; bytes that are not of their coding have a status alone. */
const BodyFault = z.object({
  status: z.int().optional(),
  type: z.string().optional(),
  message: z.string(),
})

function bodyRefusal(error: unknown): Refusal | null {
  const fault = BodyFault.safeParse(error)
  if (!fault.success) return null
  switch (fault.data.type) {
    case 'entity.parse.failed':
      return malformed('invalid_json', 'The body is not a JSON object or array.')
    case 'request.aborted':
    case 'request.size.invalid':
      return malformed('incomplete', 'The body is not as long as its Content-Length says.')
    case 'entity.too.large':
      return new Refusal('FILE_TOO_LARGE', `The body has more than ${bodyMaxBytes} bytes.`)
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return new Refusal('UNSUPPORTED_MEDIA_TYPE', `${fault.data.message}.`)
    default:
      return fault.data.status === 400
        ? malformed('invalid_encoding', 'The body is not what its Content-Encoding says.')
        : null
  }
}

function malformed(code: string, message: string): Refusal<'VALIDATION_ERROR'> {
  const errors: FieldFault[] = [{ location: 'body', code, message }]
  return new Refusal('VALIDATION_ERROR', message, { errors })
}
