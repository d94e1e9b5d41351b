import { spawn, spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'

const binary = process.env['STRIPE_MOCK'] ?? 'stripe-mock'

/** Whether the machine has Stripe's own mock server, which judges each request by Stripe's OpenAPI description. */
export const hasStripeMock = spawnSync(binary, ['-version']).status === 0
export const withoutStripeMock = hasStripeMock
  ? ''
  : ' (skipped: stripe-mock is not installed; docs/contributing.md)'

export interface StripeMock extends AsyncDisposable {
  address: { protocol: 'http'; host: string; port: number }
}

/** Starts it on a free port. */
export async function startStripeMock(): Promise<StripeMock> {
  const free = '127.0.0.1:0'
  const mock = spawn(binary, ['-http-addr', free, '-https-addr', free], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => mock.once('exit', () => resolve()))
  for await (const line of createInterface({ input: mock.stdout })) {
    const port = /HTTP at address: 127\.0\.0\.1:(\d+)/.exec(line)?.[1]
    if (port === undefined) continue
    return {
      address: { protocol: 'http', host: '127.0.0.1', port: Number(port) },
      async [Symbol.asyncDispose]() {
        mock.kill()
        await ended
      },
    }
  }
  throw new Error('stripe-mock ended before it listened')
}
