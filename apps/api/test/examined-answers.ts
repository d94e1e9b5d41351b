import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import {
  type Endpoint,
  mountedEndpoints,
  type Response,
} from '@pdfnorm/contracts/endpoint/endpoint-list'

const endpoints = new Map(
  mountedEndpoints().map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint]),
)

/**
 * Holds every answer of the server against the contract: its status, its media type, and its body, which in a
 * refusal includes the code. What the contract does not promise fails the test run, whichever test it was in.
 */
export function examineAnswers(server: Server): void {
  server.prependListener('request', (req: IncomingMessage, res: ServerResponse) => {
    const body = capturedBody(res)
    res.once('finish', () => {
      const endpoint = endpointOf(req)
      if (endpoint === undefined || req.method === 'OPTIONS' || res.statusCode === 304) return
      const fault = faultOf(endpoint, req, res, body())
      // Outside of every handler: nothing turns it into an answer.
      if (fault !== null) throw new Error(`${req.method} ${req.url} broke its contract: ${fault}`)
    })
  })
}

/** The matched endpoint; none for procedures, pages, and what was refused before a path was looked at. */
function endpointOf(req: object): Endpoint | undefined {
  if (!('tsRestRoute' in req)) return undefined
  const { method, path } = req.tsRestRoute as { method: string; path: string }
  return endpoints.get(`${method} ${path}`)
}

function faultOf(
  endpoint: Endpoint,
  { method }: IncomingMessage,
  res: ServerResponse,
  body: string,
): string | null {
  const { statusCode: status } = res
  // A redirect's target answers with what the endpoint promises.
  const promised = endpoint.responses.find((response) => response.status === status)
  if (promised === undefined) return `${status} is not among its answers: ${body}`
  if (promised.body === null) return null
  const contentType = String(res.getHeader('content-type') ?? 'none').replace(/; charset=.*/, '')
  if (contentType !== promised.body.contentType) return `its media type is ${contentType}`
  if (method === 'HEAD' || !contentType.endsWith('json')) return null
  return bodyFault(promised, contentType, body)
}

function bodyFault({ status, body }: Response, contentType: string, text: string): string | null {
  if (body?.schema === null || contentType === 'application/jose+json') return null
  const parsed = body?.schema.safeParse(JSON.parse(text))
  return parsed?.success === true ? null : `${status} ${text}: ${parsed?.error.message}`
}

/** What is written of a JSON answer, as text; other bodies may be long and are left alone. */
function capturedBody(res: ServerResponse): () => string {
  const chunks: Buffer[] = []
  const keep = (chunk: unknown) => {
    if (typeof chunk === 'string') chunks.push(Buffer.from(chunk))
    if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk))
  }
  const isJson = () => /json/.test(String(res.getHeader('content-type')))
  const write = res.write.bind(res)
  const end = res.end.bind(res)
  res.write = ((...args: Parameters<typeof write>) => {
    if (isJson()) keep(args[0])
    return write(...args)
  }) as typeof write
  res.end = ((...args: Parameters<typeof end>) => {
    if (isJson()) keep(args[0])
    return end(...args)
  }) as typeof end
  return () => Buffer.concat(chunks).toString()
}
