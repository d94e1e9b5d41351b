import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { WebhookEvent } from '@pdfnorm/contracts/schema/webhook-event'

/** How it treats whoever brings an event. */
export type ReceiverMood = 'well' | 'refusing' | 'hanging' | 'closed'

/** An event that was acknowledged, how often so ever. */
export interface ReceivedEvent {
  id: string
  path: string
  body: WebhookEvent
  times: number
}

/** A customer's receiver: it checks both signatures, acknowledges, and is not always well. */
export class Receiver {
  readonly events = new Map<string, ReceivedEvent>()
  /** What a customer would complain about. */
  readonly complaints: string[] = []
  /** Secrets by the path that they sign for; the longest path that begins an event's counts. */
  readonly #secrets = new Map<string, string>()
  readonly #hanging = new Set<ServerResponse>()
  #server: Server | null = null
  #mood: ReceiverMood = 'well'
  #port = 0

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  async open(): Promise<void> {
    const server = createServer((request, response) => void this.#receive(request, response))
    server.listen(this.#port, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (typeof address !== 'object' || address === null) throw new Error('no address')
    this.#port = address.port
    this.#server = server
  }

  async close(): Promise<void> {
    const server = this.#server
    if (server === null) return
    this.#server = null
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }

  signedWith(path: string, secret: string): void {
    this.#secrets.set(path, secret)
  }

  async feel(mood: ReceiverMood): Promise<void> {
    this.#mood = mood
    for (const response of this.#hanging) response.destroy()
    this.#hanging.clear()
    if (mood === 'closed') await this.close()
    else if (this.#server === null) await this.open()
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request).catch(() => null)
    if (body === null) return
    if (this.#mood === 'refusing') {
      response.writeHead(500).end('not now')
      return
    }
    if (this.#mood === 'hanging') {
      this.#hanging.add(response)
      return
    }
    this.#take(request, body)
    response.writeHead(204).end()
  }

  #take({ url: path = '', headers }: IncomingMessage, body: Buffer): void {
    const id = String(headers['webhook-id'])
    const known = this.events.get(id)
    if (known !== undefined) {
      known.times += 1
      if (JSON.stringify(known.body) !== JSON.stringify(JSON.parse(body.toString()))) {
        this.complaints.push(`the event ${id} came with another body`)
      }
      return
    }
    const secret = this.#secretOf(path)
    if (secret === null || !isSignedWith(secret, headers, body)) {
      this.complaints.push(`the event ${id} at ${path} has no signature that holds`)
    }
    const event = WebhookEvent.safeParse(JSON.parse(body.toString()))
    if (event.success) this.events.set(id, { id, path, body: event.data, times: 1 })
    else this.complaints.push(`the event ${id} at ${path} is no event: ${event.error.message}`)
  }

  #secretOf(path: string): string | null {
    const paths = [...this.#secrets.keys()].filter((known) => path.startsWith(known))
    const longest = paths.toSorted((a, b) => b.length - a.length)[0]
    return longest === undefined ? null : (this.#secrets.get(longest) ?? null)
  }
}

/** Both ways to check a delivery, as the documentation tells customers to do (decision 4.4). */
function isSignedWith(secret: string, headers: IncomingMessage['headers'], body: Buffer): boolean {
  const own = createHmac('sha256', secret).update(body).digest('hex')
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const standard = createHmac('sha256', key)
    .update(`${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.`)
    .update(body)
    .digest('base64')
  const offered = String(headers['webhook-signature']).split(' ')
  return (
    isSame(String(headers['x-service-signature']), own) &&
    offered.some((signature) => isSame(signature, `v1,${standard}`))
  )
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
