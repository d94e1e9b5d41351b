import { once } from 'node:events'
import { createServer } from 'node:http'
import { limits } from '@pdfnorm/contracts/schema/limit'
import { CreatedWebhook } from '@pdfnorm/contracts/schema/webhook-endpoint'
import { sendOutgoing } from '../src/outgoing/outgoing-request.ts'
import { BenchCustomer } from './bench-customer.ts'
import { startBenchService } from './bench-service.ts'

const eventsOfEach = 30

/** Webhook deliveries a second by one worker that finds them all waiting, beside the same requests without a service. */
export async function benchDeliveries(): Promise<void> {
  const receiver = await startReceiver()
  const service = await startBenchService(1)
  try {
    const customer = await BenchCustomer.register(service.url, service.database)
    const webhooks = await createWebhooks(customer, receiver.url)
    const count = webhooks.length * eventsOfEach
    for (let event = 0; event < eventsOfEach; event += 1) {
      for (const id of webhooks) await customer.postAsOwner(`/api/portal/webhooks/${id}/test`, {})
    }

    const arrived = receiver.arrivals(count)
    await service.workers[0]?.start()
    const times = await arrived
    // The first one waits for the worker's start.
    const rate = ((count - 1) / ((times.at(-1) ?? 0) - (times[0] ?? 0))) * 1000
    const bare = await bareRequestsPerSecond(receiver.url, count, webhooks.length)
    console.log(
      `webhook deliveries: ${rate.toFixed(0)} a second to ${webhooks.length} receivers by one ` +
        `worker; the same signed requests without queue and log: ${bare.toFixed(0)} a second`,
    )
  } finally {
    await service.stop()
    receiver.close()
  }
}

async function createWebhooks(customer: BenchCustomer, url: string): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < limits.webhooksPerOrganization; index += 1) {
    const request = { url: `${url}/${index}`, events: ['normalization.success'] }
    const webhook = await customer.postAsOwner('/api/portal/webhooks', request)
    ids.push(CreatedWebhook.parse(webhook).id)
  }
  return ids
}

async function bareRequestsPerSecond(url: string, count: number, atOnce: number): Promise<number> {
  let left = count
  const policy = { allowPrivate: true, httpsOnly: false }
  const sender = async () => {
    while (left > 0) {
      left -= 1
      await sendOutgoing({ url, headers: {}, body: 'x'.repeat(300), timeoutMs: 10_000 }, policy)
    }
  }
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: atOnce }, sender))
  return (count / (performance.now() - startedAt)) * 1000
}

async function startReceiver() {
  const times: number[] = []
  let told = () => undefined as void
  const server = createServer((request, response) => {
    request.resume()
    times.push(performance.now())
    response.writeHead(204).end()
    told()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no address')
  return {
    url: `http://127.0.0.1:${address.port}`,
    /** The times of the next requests, when all are there. */
    arrivals: (count: number) =>
      new Promise<number[]>((resolve) => {
        times.splice(0)
        told = () => {
          if (times.length === count) resolve([...times])
        }
      }),
    close: () => server.close(),
  }
}
