import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import autocannon from 'autocannon'
import { defaultOptions } from '@pdfnorm/normalizer/options'
import { createNormalizerPool } from '@pdfnorm/normalizer/normalizer-pool'
import { smallPdf } from './small-pdf.ts'

/**
 * What the service costs over HTTP, as ratios from one run on this machine:
 * the same answers from bare Express, in turns, and the pipeline without a service.
 */
const rounds = 5
const roundSeconds = 2
const documents = 60

const dataDirectory = await mkdtemp(path.join(tmpdir(), 'pdfnorm-bench-'))
const bare = await startBareExpress()
const service = await startService(dataDirectory)
try {
  const key = await makeKey(service.url)
  const submissionUrl = await normalizeOnce(service.url, key)
  await compareReads('GET /healthz', `${service.url}/healthz`, {})
  await compareReads('GET /api/submissions/{id}', submissionUrl, { 'x-api-key': key })
  await compareNormalize(service.url, key)
} finally {
  service.stop()
  bare.stop()
  await once(service.process, 'exit')
  await rm(dataDirectory, { recursive: true, force: true })
}

async function compareReads(name: string, url: string, headers: Record<string, string>) {
  const body = await (await fetch(url, { headers })).text()
  await fetch(`${bare.url}/body`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body,
  })
  const ratios: number[] = []
  const ours: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const service = await requestsPerSecond(url, headers)
    const express = await requestsPerSecond(`${bare.url}/body`, {})
    // The first round warms up.
    if (round === 0) continue
    ours.push(service)
    ratios.push(express / service)
  }
  const range = `${Math.min(...ratios).toFixed(1)}–${Math.max(...ratios).toFixed(1)}`
  console.log(
    `${name}: ${median(ours).toFixed(0)} requests/s; bare Express with the same body answers ` +
      `${median(ratios).toFixed(1)} times as many (${range} in ${rounds} rounds)`,
  )
}

async function requestsPerSecond(url: string, headers: Record<string, string>): Promise<number> {
  const result = await autocannon({ url, headers, connections: 8, duration: roundSeconds })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url} answered with errors`)
  return result.requests.average
}

async function compareNormalize(baseUrl: string, key: string) {
  const pool = createNormalizerPool({ workers: 1 })
  const overHttp: number[] = []
  const alone: number[] = []
  for (let document = 0; document < documents; document++) {
    const bytes = smallPdf(document)
    const startedAt = performance.now()
    await normalize(baseUrl, key, bytes)
    const answeredAt = performance.now()
    await pool.normalize(bytes, defaultOptions)
    const endedAt = performance.now()
    if (document < documents / 4) continue
    overHttp.push(answeredAt - startedAt)
    alone.push(endedAt - answeredAt)
  }
  await pool.close()
  console.log(
    `POST /api/normalize: median ${median(overHttp).toFixed(1)} ms a document, ` +
      `the pipeline alone ${median(alone).toFixed(1)} ms: upload, quota, storage, report and ` +
      `signatures add ${(median(overHttp) - median(alone)).toFixed(1)} ms`,
  )
}

async function startBareExpress() {
  const process = fork(path.join(import.meta.dirname, 'bare-express.ts'))
  const [{ port }] = (await once(process, 'message')) as [{ port: number }]
  return { url: `http://127.0.0.1:${port}`, stop: () => process.kill() }
}

async function startService(dataDirectory: string) {
  const port = 40_000 + Math.floor(Math.random() * 20_000)
  const child = fork(path.join(import.meta.dirname, '../src/serve.ts'), {
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: dataDirectory,
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const url = `http://127.0.0.1:${port}`
  await once(child.stdout ?? child, 'data')
  return { url, process: child, stop: () => child.kill() }
}

async function makeKey(baseUrl: string): Promise<string> {
  const password = 'a passphrase for the bench'
  await postJson(`${baseUrl}/api/auth/register`, {
    orgName: 'Bench',
    orgSlug: 'bench',
    ownerEmail: 'bench@example.com',
    ownerPassword: password,
  })
  const { access_token } = (await postJson(`${baseUrl}/api/auth/login`, {
    email: 'bench@example.com',
    password,
  })) as { access_token: string }
  const { fullKey } = (await postJson(
    `${baseUrl}/api/portal/api-keys`,
    { name: 'bench', scopes: ['normalize', 'read'] },
    { authorization: `Bearer ${access_token}` },
  )) as { fullKey: string }
  return fullKey
}

async function postJson(
  url: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return response.json()
}

async function normalize(baseUrl: string, key: string, bytes: Uint8Array<ArrayBuffer>) {
  const form = new FormData()
  form.append('file', new Blob([bytes], { type: 'application/pdf' }), 'bench.pdf')
  const response = await fetch(`${baseUrl}/api/normalize`, {
    method: 'POST',
    headers: { 'x-api-key': key },
    body: form,
  })
  const answer = (await response.json()) as { status: string; submissionId: string }
  if (answer.status !== 'SUCCESS') throw new Error(`normalize ended with ${JSON.stringify(answer)}`)
  return answer
}

async function normalizeOnce(baseUrl: string, key: string): Promise<string> {
  const { submissionId } = await normalize(baseUrl, key, smallPdf(-1))
  return `${baseUrl}/api/submissions/${submissionId}`
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
