import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** One request that a receiver got. */
export interface ReceivedEvent {
  path: string
  headers: IncomingHttpHeaders
  /** The bytes as text. */
  body: string
  at: number
}

/** What a receiver answers: a status, headers with it, or nothing at all (`hang`). */
export type Answer = number | { status: number; headers: Record<string, string> } | 'hang'

/** The HTTP server of a customer, on loopback. */
export interface WebhookReceiver extends AsyncDisposable {
  /** Of the given path on it. */
  url: (path?: string) => string
  received: ReceivedEvent[]
  /** What it answers from now on, by the number of requests that the path has got before. */
  answer: (choose: (path: string, before: number) => Answer) => void
  /** Resolves with the first requests to a path when there are so many. */
  got: (count: number, path?: string) => Promise<ReceivedEvent[]>
  /** Requests that are open now, by path. */
  open: (path: string) => number
  /** Breaks off what hangs. */
  drop: () => void
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedEvent[] = []
  const open = new Map<string, number>()
  const hanging = new Set<ServerResponse>()
  let choose: (path: string, before: number) => Answer = () => 204
  let tell = () => undefined as void

  const count = (path: string, change: number) => open.set(path, (open.get(path) ?? 0) + change)
  const server = createServer((req, res) => {
    const path = req.url ?? '/'
    count(path, 1)
    res.once('close', () => {
      count(path, -1)
      hanging.delete(res)
    })
    void text(req).then((body) => {
      const before = received.filter((event) => event.path === path).length
      received.push({ path, headers: req.headers, body, at: Date.now() })
      tell()
      const answer = choose(path, before)
      if (answer === 'hang') return hanging.add(res)
      const { status, headers } =
        typeof answer === 'number' ? { status: answer, headers: {} } : answer
      return res.writeHead(status, headers).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    url: (path = '/') => `http://127.0.0.1:${port}${path}`,
    received,
    answer: (chosen) => {
      choose = chosen
    },
    got: (wanted, path = '/') =>
      new Promise((resolve) => {
        const earlier = tell
        tell = () => {
          earlier()
          const here = received.filter((event) => event.path === path)
          if (here.length >= wanted) resolve(here)
        }
        tell()
      }),
    open: (path) => open.get(path) ?? 0,
    drop: () => {
      for (const response of hanging) response.destroy()
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
