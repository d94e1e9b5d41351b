import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A request as it arrived, its body read to the end. */
export interface Received {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer<ArrayBuffer>
}

export interface Answer {
  readonly status?: number
  readonly headers?: Record<string, string | number>
  readonly body?: unknown
  /** Breaks the connection after that many bytes of the body, whose whole length was announced. */
  readonly cutAfter?: number
}

/** Answers one request; `drop` breaks the connection, `hang` never answers. */
export type Script = (request: Received) => Answer | 'drop' | 'hang'

/**
 * An HTTP server on a free port that answers as its script says, the next function for the next request and the
 * last one for all further ones. It is closed when the test ends.
 */
export async function scriptedService(
  ...scripts: readonly Script[]
): Promise<{ baseUrl: string; received: Received[] }> {
  const received: Received[] = []
  const respond = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = req
    const request = { method, url, headers, body: await readBody(req) }
    const script = scripts[Math.min(received.length, scripts.length - 1)]
    received.push(request)
    answer(res, script?.(request) ?? 'drop')
  }
  const server = createServer((req, res) => {
    // A client that goes away leaves nobody to answer.
    void respond(req, res).catch(() => res.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { baseUrl: `http://127.0.0.1:${port}`, received }
}

/** The fields and the file of a multipart body. */
export function formOf(request: Received | undefined): Promise<FormData> {
  const type = request?.headers['content-type'] ?? ''
  return new Response(request?.body, { headers: { 'content-type': type } }).formData()
}

/** A refusal as the service words it. */
export function problem(status: number, code: string, headers: Answer['headers'] = {}): Answer {
  return {
    status,
    headers: { 'content-type': 'application/problem+json', ...headers },
    body: {
      type: `https://pdfnorm.example/docs/errors/${code.toLowerCase()}`,
      title: 'Refused',
      status,
      detail: `Refused with ${code}`,
      code,
      requestId: 'req-1',
    },
  }
}

async function readBody(req: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  for await (const chunk of req) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function answer(res: ServerResponse, scripted: Answer | 'drop' | 'hang'): void {
  if (scripted === 'hang') return
  if (scripted === 'drop') {
    res.destroy()
    return
  }
  const { status = 200, headers = {}, body = {}, cutAfter } = scripted
  const isRaw = typeof body === 'string' || body instanceof Uint8Array
  const bytes = Buffer.from(isRaw ? body : JSON.stringify(body))
  const length = status === 304 || status === 204 ? {} : { 'content-length': bytes.length }
  res.writeHead(status, { 'content-type': 'application/json', ...length, ...headers })
  if (cutAfter === undefined) res.end(bytes)
  else res.write(bytes.subarray(0, cutAfter), () => res.destroy())
}
