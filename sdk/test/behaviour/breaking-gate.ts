import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface BreakingGate extends AsyncDisposable {
  readonly url: string
  /** Lets the gate hand on what arrives. */
  open(baseUrl: string): void
  /** Gives files of its own to a browser, by path. */
  readonly pages: Map<string, { readonly type: string; readonly text: string }>
}

/** How much of a first request or download passes before the connection breaks. */
const passesBytes = 200

/**
 * A gate before a service that breaks connections: of each path the first upload in the middle of the request, the
 * first download in the middle of the answer.
 */
export async function breakingGate(): Promise<BreakingGate> {
  const pages: BreakingGate['pages'] = new Map()
  const broken = new Set<string>()
  let target: string | null = null
  const server = createServer((req, res) => {
    const page = pages.get(req.url ?? '')
    if (page !== undefined) res.setHeader('content-type', page.type).end(page.text)
    else if (target === null) res.destroy()
    else handOn(req, res, target, broken)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pages,
    open(baseUrl) {
      target = baseUrl
      broken.clear()
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function handOn(
  req: IncomingMessage,
  res: ServerResponse,
  target: string,
  broken: Set<string>,
): void {
  const isFirst = !broken.has(req.url ?? '')
  broken.add(req.url ?? '')
  if (isFirst && req.method === 'POST') {
    req.once('data', () => req.destroy())
    return
  }
  const onward = request(target + (req.url ?? ''), { method: req.method, headers: req.headers })
  onward.on('error', () => res.destroy())
  onward.on('response', (answer) => {
    res.writeHead(answer.statusCode ?? 502, answer.headers)
    if (!isFirst) {
      answer.pipe(res)
      return
    }
    answer.once('data', (chunk: Buffer) => {
      res.write(chunk.subarray(0, passesBytes), () => res.destroy())
      answer.destroy()
    })
  })
  req.pipe(onward)
}
