import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Stripe } from 'stripe'
import { openStripe } from '../src/billing/stripe-processor.ts'
import type { PaymentProcessor } from '../src/billing/payment-processor.ts'

/** A server that speaks the calls of Stripe which the service makes, and the service's way to it. */
export interface StripeServer extends AsyncDisposable {
  payments: PaymentProcessor
  /** Objects by the resource that they were made at, `v1/prices`; the newest is the last. */
  made: Map<string, StripeObject[]>
  subscriptions: Map<string, StripeObject>
  /** Every call answers 503 while this is true. */
  isAway: boolean
  /** Headers of an event as Stripe sends it. */
  signed(payload: string, secret?: string, timestamp?: number): Record<string, string>
}

export type StripeObject = { id: string } & Record<string, unknown>

const webhookSecret = 'whsec_of_the_test'

export async function startStripeServer(): Promise<StripeServer> {
  const made: StripeServer['made'] = new Map()
  const subscriptions: StripeServer['subscriptions'] = new Map()
  const byIdempotencyKey = new Map<string, StripeObject>()

  function make(resource: string, fields: URLSearchParams, key: string | undefined): StripeObject {
    const known = key === undefined ? undefined : byIdempotencyKey.get(`${resource} ${key}`)
    if (known !== undefined) return known
    const all = made.get(resource) ?? []
    const id = `${resource.split('/').at(-1)}_${all.length + 1}`
    const object: StripeObject = {
      id,
      ...Object.fromEntries(fields),
      metadata: metadataIn(fields),
      ...(fields.has('unit_amount') && { unit_amount: Number(fields.get('unit_amount')) }),
      ...(resource.endsWith('sessions') && { url: `https://stripe.test/${id}`, status: 'open' }),
    }
    made.set(resource, [...all, object])
    if (key !== undefined) byIdempotencyKey.set(`${resource} ${key}`, object)
    return object
  }

  async function answer(req: IncomingMessage): Promise<[number, unknown]> {
    if (stripe.isAway) return [503, { error: { type: 'api_error', message: 'away' } }]
    const { pathname, searchParams } = new URL(req.url ?? '', 'http://stripe')
    const resource = pathname.slice(1)
    const fields = new URLSearchParams(await text(req))
    const key = req.headers['idempotency-key']
    if (req.method === 'GET') {
      const source =
        resource === 'v1/subscriptions' ? [...subscriptions.values()] : (made.get(resource) ?? [])
      const data = source.filter((object) =>
        ['customer', 'status'].every((name) => {
          const wanted = searchParams.get(name)
          return wanted === null || wanted === 'all' || object[name] === wanted
        }),
      )
      const lookUpKey = searchParams.get('lookup_keys[0]')
      const listed =
        lookUpKey === null ? data : data.filter((object) => object['lookup_key'] === lookUpKey)
      return [200, { object: 'list', url: pathname, has_more: false, data: listed }]
    }
    const action = /^(v1\/.+)\/(\w+_\d+)(?:\/(\w+))?$/.exec(resource)
    if (action === null) {
      return [200, make(resource, fields, typeof key === 'string' ? key : undefined)]
    }
    const object = made.get(action[1] ?? '')?.find(({ id }) => id === action[2])
    if (object === undefined) return [404, { error: { type: 'invalid_request_error' } }]
    Object.assign(object, Object.fromEntries(fields))
    if (action[3] === 'expire') object['status'] = 'expired'
    return [200, object]
  }

  async function respond(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const [status, body] = await answer(req)
    res.writeHead(status, { 'Content-Type': 'application/json', 'Stripe-Should-Retry': 'false' })
    res.end(JSON.stringify(body))
  }

  const server = createServer((req, res) => void respond(req, res))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  const stripe: StripeServer = {
    made,
    subscriptions,
    isAway: false,
    payments: openStripe({
      secretKey: 'sk_test_1',
      webhookSecret,
      address: { protocol: 'http', host: '127.0.0.1', port },
    }),
    signed: (payload, secret = webhookSecret, timestamp = Math.floor(Date.now() / 1000)) => ({
      'Content-Type': 'application/json',
      'Stripe-Signature': Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp }),
    }),
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
  return stripe
}

function metadataIn(fields: URLSearchParams): Record<string, string> {
  const entries = [...fields].flatMap(([name, value]) => {
    const key = /^metadata\[(\w+)\]$/.exec(name)?.[1]
    return key === undefined ? [] : [[key, value] as const]
  })
  return Object.fromEntries(entries)
}
