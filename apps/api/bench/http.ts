import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createNormalizerPool } from '@pdfnorm/normalizer/normalizer-pool'
import { defaultOptions } from '@pdfnorm/normalizer/options'
import autocannon from 'autocannon'
import { BenchCustomer } from './bench-customer.ts'
import { startBenchService } from './bench-service.ts'
import { quantile } from './quantile.ts'
import { smallPdf } from './small-pdf.ts'

const rounds = 5
const roundSeconds = 2
const documents = 60

/**
 * What the service costs over HTTP, as ratios from one run on this machine: the same answers from bare Express, in
 * turns, and the pipeline without a service.
 */
export async function benchHttp(): Promise<void> {
  const bare = await startBareExpress()
  const service = await startBenchService(0)
  try {
    const customer = await BenchCustomer.register(service.url, service.database)
    const { submissionId } = await customer.submit(smallPdf(-1))
    const submissionUrl = `${service.url}/api/submissions/${submissionId}`
    await compareReads(bare.url, 'GET /healthz', `${service.url}/healthz`, {})
    await compareReads(bare.url, 'GET /api/submissions/{id}', submissionUrl, customer.keyHeader)
    await compareNormalize(customer)
  } finally {
    await service.stop()
    bare.stop()
  }
}

async function compareReads(
  bareUrl: string,
  name: string,
  url: string,
  headers: Record<string, string>,
): Promise<void> {
  const body = await (await fetch(url, { headers })).text()
  await fetch(`${bareUrl}/body`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body,
  })
  const ratios: number[] = []
  const ours: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const service = await requestsPerSecond(url, headers)
    const express = await requestsPerSecond(`${bareUrl}/body`, {})
    // The first round warms up.
    if (round === 0) continue
    ours.push(service)
    ratios.push(express / service)
  }
  const range = `${Math.min(...ratios).toFixed(1)}–${Math.max(...ratios).toFixed(1)}`
  console.log(
    `${name}: ${quantile(ours, 0.5).toFixed(0)} requests/s; bare Express with the same body ` +
      `answers ${quantile(ratios, 0.5).toFixed(1)} times as many (${range} in ${rounds} rounds)`,
  )
}

async function requestsPerSecond(url: string, headers: Record<string, string>): Promise<number> {
  const result = await autocannon({ url, headers, connections: 8, duration: roundSeconds })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url} answered with errors`)
  return result.requests.average
}

async function compareNormalize(customer: BenchCustomer): Promise<void> {
  const pool = createNormalizerPool({ workers: 1 })
  const overHttp: number[] = []
  const alone: number[] = []
  for (let document = 0; document < documents; document++) {
    const bytes = smallPdf(document)
    const startedAt = performance.now()
    await customer.submit(bytes)
    const answeredAt = performance.now()
    await pool.normalize(bytes, defaultOptions)
    const endedAt = performance.now()
    if (document < documents / 4) continue
    overHttp.push(answeredAt - startedAt)
    alone.push(endedAt - answeredAt)
  }
  await pool.close()
  const [service, pipeline] = [quantile(overHttp, 0.5), quantile(alone, 0.5)]
  console.log(
    `POST /api/normalize: median ${service.toFixed(1)} ms a document, the pipeline alone ` +
      `${pipeline.toFixed(1)} ms: upload, quota, storage, report and signatures add ` +
      `${(service - pipeline).toFixed(1)} ms`,
  )
}

async function startBareExpress(): Promise<{ url: string; stop(): void }> {
  const process = fork(path.join(import.meta.dirname, 'bare-express.ts'))
  const [{ port }] = (await once(process, 'message')) as [{ port: number }]
  return { url: `http://127.0.0.1:${port}`, stop: () => process.kill() }
}
