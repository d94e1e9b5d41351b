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
  /** What the judge said of each call: `POST v1/customers`, its status. */
  judged: { call: string; status: number; body: string }[]
  /** Every call answers 503 while this is true. */
  isAway: boolean
  /** Holds the answer to the next call back, as it is then. */
  holdNext(): { arrived: Promise<void>; release: () => void }
  /** Gives Stripe a customer, as the dashboard does. */
  addCustomer(id: string): void
  /** Deletes a customer with its subscriptions, as the dashboard does. */
  deleteCustomer(id: string): void
  /** Headers of an event as Stripe sends it. */
  signed(payload: string, secret?: string, timestamp?: number): Record<string, string>
}

export type StripeObject = { id: string } & Record<string, unknown>

const webhookSecret = 'whsec_of_the_test'

/** @param judge a server that each request is put to before it is answered (stripe-mock.ts) */
export async function startStripeServer({
  judge,
}: { judge?: { host: string; port: number } } = {}): Promise<StripeServer> {
  const made: StripeServer['made'] = new Map()
  const subscriptions: StripeServer['subscriptions'] = new Map()
  let hold = () => Promise.resolve()
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
      ...(fields.has('unit_amount') && {
        unit_amount: Number(fields.get('unit_amount')),
        product: `prod_${all.length + 1}`,
      }),
      ...(resource.endsWith('sessions') && {
        url: `https://stripe.test/${id}`,
        status: 'open',
        created: Math.floor(Date.now() / 1000),
      }),
    }
    made.set(resource, [...all, object])
    if (key !== undefined) byIdempotencyKey.set(`${resource} ${key}`, object)
    return object
  }

  async function answer(req: IncomingMessage): Promise<[number, unknown]> {
    if (stripe.isAway) return [503, { error: { type: 'api_error', message: 'away' } }]
    const { pathname, searchParams } = new URL(req.url ?? '', 'http://stripe')
    const resource = pathname.slice(1)
    const body = await text(req)
    if (judge !== undefined) await putToJudge(judge, req, resource, body)
    const fields = new URLSearchParams(body)
    const key = req.headers['idempotency-key']
    const customer = searchParams.get('customer') ?? fields.get('customer')
    if (customer !== null && !isCustomer(customer)) return missing('customer')

    const [, collection = '', id = '', action] =
      /^(v1\/.+)\/(\w+_[\w-]+)(\/\w+)?$/.exec(resource) ?? []
    if (id !== '') return answerAbout(req.method ?? '', collection, id, action, fields)
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
    return [200, make(resource, fields, typeof key === 'string' ? key : undefined)]
  }

  async function putToJudge(
    { host, port }: { host: string; port: number },
    { method = '', url = '', headers }: IncomingMessage,
    resource: string,
    body: string,
  ): Promise<void> {
    const response = await fetch(`http://${host}:${port}${url}`, {
      method,
      headers: ['authorization', 'content-type', 'idempotency-key', 'stripe-version'].flatMap(
        (name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : []),
      ),
      ...(body !== '' && { body }),
    })
    const call = `${method} ${resource.replace(/(?<=^v1\/.+)\/\w+_[\w-]+/, '/:id')}`
    stripe.judged.push({ call, status: response.status, body: await response.text() })
  }

  function answerAbout(
    method: string,
    collection: string,
    id: string,
    action: string | undefined,
    fields: URLSearchParams,
  ): [number, unknown] {
    const object =
      collection === 'v1/subscriptions'
        ? subscriptions.get(id)
        : made.get(collection)?.find((one) => one.id === id)
    if (object === undefined) return missing('id')
    if (method === 'GET') return [200, object]
    if (method === 'DELETE') {
      if (object['status'] === 'canceled') return missing('id')
      object['status'] = 'canceled'
      return [200, object]
    }
    if (action === '/expire') {
      if (object['status'] !== 'open') return [400, { error: { type: 'invalid_request_error' } }]
      object['status'] = 'expired'
    }
    Object.assign(object, Object.fromEntries(fields))
    return [200, object]
  }

  function isCustomer(id: string): boolean {
    const customer = made.get('v1/customers')?.find((one) => one.id === id)
    return customer !== undefined && customer['deleted'] !== true
  }

  async function respond(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const [status, body] = await answer(req)
    await hold()
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
    judged: [],
    isAway: false,
    holdNext() {
      const arrived = Promise.withResolvers<void>()
      const released = Promise.withResolvers<void>()
      hold = async () => {
        hold = () => Promise.resolve()
        arrived.resolve()
        await released.promise
      }
      return { arrived: arrived.promise, release: released.resolve }
    },
    addCustomer(id) {
      made.set('v1/customers', [...(made.get('v1/customers') ?? []), { id }])
    },
    deleteCustomer(id) {
      const customer = made.get('v1/customers')?.find((one) => one.id === id)
      Object.assign(customer ?? {}, { deleted: true })
      for (const subscription of subscriptions.values()) {
        if (subscription['customer'] === id) subscription['status'] = 'canceled'
      }
    },
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

function missing(param: string): [number, unknown] {
  return [404, { error: { type: 'invalid_request_error', code: 'resource_missing', param } }]
}

function metadataIn(fields: URLSearchParams): Record<string, string> {
  const entries = [...fields].flatMap(([name, value]) => {
    const key = /^metadata\[(\w+)\]$/.exec(name)?.[1]
    return key === undefined ? [] : [[key, value] as const]
  })
  return Object.fromEntries(entries)
}
