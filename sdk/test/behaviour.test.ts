import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeDocument } from '../../test/first-document.ts'
import { expressHandler, type WebhookSecret } from '../src/express.ts'
import { Pdfnorm, type WebhookEvent } from '../src/index.ts'
import { type BreakingGate, breakingGate } from './behaviour/breaking-gate.ts'
import { type LiveService, startLiveService } from './behaviour/live-service.ts'
import { freePort, runtimes } from './behaviour/runtimes.ts'
import { readmeSnippets } from './readme-snippets.ts'
import { installPackedPackage, type PackedPackage } from './packed-package.ts'

const run = promisify(execFile)
let installed: PackedPackage
let gate: BreakingGate
let service: LiveService
let pdfBase64: string

beforeAll(async () => {
  gate = await breakingGate()
  ;[installed, service] = await Promise.all([
    installPackedPackage(),
    startLiveService(await freePort(), gate.url),
  ])
  const document = join(installed.folder, 'first.pdf')
  await writeDocument(document)
  pdfBase64 = (await readFile(document)).toString('base64')
})

afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await gate[Symbol.asyncDispose]()
  await installed[Symbol.asyncDispose]()
})

describe.each(runtimes)('the packed client on $name', ({ name, program, behave }) => {
  test.skipIf(program === null)(
    `behaves as promised towards a live service (needs ${name})`,
    async () => {
      gate.open(service.baseUrl)
      const { baseUrl, apiKey } = service
      const scenario = { baseUrl, apiKey, brokenUrl: gate.url, pdfBase64, folder: null }
      const outcomes = await behave(program ?? '', { folder: installed.folder, scenario, gate })
      expect(outcomes.filter(({ fault }) => fault !== null)).toEqual([])
      expect(outcomes.length).toBeGreaterThan(10)
    },
    60_000,
  )
})

test('the first snippet of the README normalizes a PDF', async () => {
  const [snippet = ''] = await readmeSnippets()
  const folder = await mkdtemp(join(installed.folder, 'readme-'))
  await writeDocument(join(folder, 'in.pdf'))
  const code = snippet.replace('http://localhost:3000', service.baseUrl)
  await writeFile(join(folder, 'first.mts'), code)
  await run(process.execPath, ['first.mts'], { cwd: folder, env: environment() })
  expect(await readFile(join(folder, 'out.pdf'), 'latin1')).toMatch(/^%PDF-/)
  expect(snippet.trim().split('\n').length).toBeLessThanOrEqual(10)
})

describe('the command line of the packed client', () => {
  test('normalizes and verifies with a live service', async () => {
    const folder = await mkdtemp(join(installed.folder, 'files-'))
    await writeDocument(join(folder, 'in.pdf'))
    const normalized = await pdfnorm(['normalize', 'in.pdf', '--certificate'], folder)
    expect(normalized).toMatch(/^in\.pdf → in\.normalized\.pdf/)
    const keys = await fetch(`${service.baseUrl}/.well-known/attestation-keys.json`)
    await writeFile(join(folder, 'keys.json'), await keys.text())
    const verified = await pdfnorm(['verify', 'in.normalized.pdf', '-k', 'keys.json'], folder)
    expect(verified).toContain('in.normalized.pdf: valid')

    const [, hash = ''] = /sha256:([0-9a-f]{64})/.exec(normalized) ?? []
    const headers = { 'X-Api-Key': service.apiKey }
    const attestation = await fetch(`${service.baseUrl}/api/attestations/${hash}`, { headers })
    await writeFile(join(folder, 'attestation.json'), await attestation.text())
    const args = [
      'verify',
      'in.normalized.pdf',
      '-a',
      'attestation.json',
      '-k',
      'keys.json',
      '--json',
    ]
    expect(JSON.parse(await pdfnorm(args, folder))).toMatchObject({
      valid: true,
      attestation: { subject: { normalizedSha256: hash } },
    })
  })

  test('sends the ends of submissions on to a local address, signed as a webhook is', async () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    await using receiver = await receivingServer(secret)
    const listening = spawn(
      process.execPath,
      [bin(), 'listen', '--forward-to', receiver.url, '--secret', secret, '--interval', '1'],
      { env: { ...environment(), HOME: installed.folder } },
    )
    try {
      await Promise.race([once(listening.stderr, 'data'), once(listening, 'exit')])
      const client = new Pdfnorm({ baseUrl: service.baseUrl, apiKey: service.apiKey })
      const pdf = Buffer.from(pdfBase64, 'base64')
      const good = await client.normalizeAndWait(pdf)
      const bad = await client.normalizeAndWait(Buffer.from('%PDF-1.7 and no more'))
      // The beginning is a whole second, in which what came before may have ended too.
      const events = await receiver.receivedAbout([good.submissionId, bad.submissionId])
      expect(events.map(({ event }) => event)).toEqual([
        'normalization.success',
        'normalization.failure',
      ])
      expect(events.map(({ data }) => data)).toMatchObject([
        { submissionId: good.submissionId, outputHash: good.outputHash },
        { submissionId: bad.submissionId, outputHash: null },
      ])
    } finally {
      const exit = once(listening, 'exit')
      listening.kill('SIGINT')
      expect(await exit).toEqual([0, null])
    }
  })
})

test('what the service itself sends is unwrapped, by either secret while they are rotated', async () => {
  const secrets: string[] = []
  await using receiver = await receivingServer(() => secrets)
  const webhook = { url: receiver.url, events: ['normalization.success'] }
  const created = await asOwner<{ id: string; secret: string }>('/api/portal/webhooks', webhook)
  const client = new Pdfnorm({ baseUrl: service.baseUrl, apiKey: service.apiKey })
  const pdf = Buffer.from(pdfBase64, 'base64')

  secrets.push(created.secret)
  const first = await client.normalizeAndWait(pdf, { respondAsync: true })
  const [event] = await receiver.received(1)
  expect(event).toMatchObject({
    event: 'normalization.success',
    webhookId: created.id,
    data: { submissionId: first.submissionId, outputHash: first.outputHash },
  })

  const rotate = `/api/portal/webhooks/${created.id}/rotate-secret`
  const rotated = await asOwner<{ secret: string }>(rotate, undefined)
  for (const secret of [created.secret, rotated.secret]) {
    secrets.splice(0, 1, secret)
    await client.normalizeAndWait(pdf, { respondAsync: true })
    await receiver.received(secret === rotated.secret ? 3 : 2)
  }
})

test('a large upload with a wrong key is refused as such, and not sent again', async () => {
  let attempts = 0
  const client = new Pdfnorm({
    baseUrl: service.baseUrl,
    apiKey: 'pdfnorm_wrong',
    onRequest: () => void attempts++,
  })
  const upload = client.normalize(() => zeros(100))
  await expect(upload).rejects.toMatchObject({ name: 'AuthenticationError', status: 401 })
  expect(attempts).toBe(1)
})

interface Receiver extends AsyncDisposable {
  readonly url: string
  /** Once so many have come. */
  received(count: number): Promise<WebhookEvent[]>
  /** Those about these submissions, once all have come. */
  receivedAbout(submissionIds: readonly string[]): Promise<WebhookEvent[]>
}

async function receivingServer(secret: WebhookSecret): Promise<Receiver> {
  const events: WebhookEvent[] = []
  const route = expressHandler(secret, (event) => events.push(event))
  const server = createServer((req, res) => void route(req, res)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    async received(count) {
      await expect.poll(() => events.length, { timeout: 20_000 }).toBe(count)
      return events
    },
    async receivedAbout(submissionIds) {
      const about = () =>
        events.filter(
          ({ data }) => 'submissionId' in data && submissionIds.includes(data.submissionId),
        )
      await expect.poll(about, { timeout: 20_000 }).toHaveLength(submissionIds.length)
      return about()
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function asOwner<Answer>(path: string, body: unknown): Promise<Answer> {
  const response = await service.asOwner(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  expect(response.ok).toBe(true)
  const answer: Answer = await response.json()
  return answer
}

async function* zeros(megabytes: number): AsyncGenerator<Uint8Array> {
  const megabyte = new Uint8Array(1024 * 1024)
  for (let count = 0; count < megabytes; count++) yield megabyte
}

async function pdfnorm(args: readonly string[], cwd: string): Promise<string> {
  const { stdout } = await run(process.execPath, [bin(), ...args], { cwd, env: environment() })
  return stdout
}

/** What npm has linked. */
function bin(): string {
  return join(installed.folder, 'node_modules/.bin/pdfnorm')
}

function environment(): Record<string, string | undefined> {
  const { baseUrl, apiKey } = service
  return { PATH: process.env['PATH'], PDFNORM_BASE_URL: baseUrl, PDFNORM_API_KEY: apiKey }
}
