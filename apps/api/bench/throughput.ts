import { setTimeout as delay } from 'node:timers/promises'
import { Batch } from '@pdfnorm/contracts/schema/batch'
import { createNormalizerPool } from '@pdfnorm/normalizer/normalizer-pool'
import { defaultOptions } from '@pdfnorm/normalizer/options'
import { BenchCustomer } from './bench-customer.ts'
import { startBenchService } from './bench-service.ts'
import { smallPdf } from './small-pdf.ts'

const documents = 200
const clients = 8

/** Documents a second from the upload to the end, with one and with two worker processes, beside the pipeline alone. */
export async function benchThroughput(): Promise<void> {
  const service = await startBenchService(2)
  try {
    const customer = await BenchCustomer.register(service.url, service.database)
    const rates: number[] = []
    for (const worker of service.workers) {
      await worker.start()
      // The first ones warm up.
      await documentsPerSecond(customer, 20)
      rates.push(await documentsPerSecond(customer, documents))
    }
    const alone = await pipelineDocumentsPerSecond()
    const [one = 0, two = 0] = rates
    console.log(
      `submissions end to end: ${one.toFixed(1)} a second with one worker, ${two.toFixed(1)} with ` +
        `two (${(two / one).toFixed(2)} times as many); the pipeline alone does ` +
        `${alone.toFixed(1)} in one process: one worker reaches ${percent(one / alone)} of it`,
    )
  } finally {
    await service.stop()
  }
}

let number = 0

async function documentsPerSecond(customer: BenchCustomer, count: number): Promise<number> {
  const { batchId } = Batch.parse(await customer.postWithKey('/api/batches', {}))
  const startedAt = performance.now()
  let left = count
  const client = async () => {
    while (left > 0) {
      left -= 1
      number += 1
      const fields = { batch_id: batchId }
      await customer.submit(smallPdf(number), fields, { prefer: 'respond-async' })
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  for (;;) {
    const { completed, failed, rejected } = Batch.parse(
      await customer.get(`/api/batches/${batchId}`),
    )
    if (failed + rejected > 0) throw new Error('A document did not succeed')
    if (completed === count) return (count / (performance.now() - startedAt)) * 1000
    await delay(20)
  }
}

async function pipelineDocumentsPerSecond(): Promise<number> {
  const pool = createNormalizerPool({ workers: 1 })
  const run = async (count: number) => {
    for (let document = 0; document < count; document += 1) {
      number += 1
      await pool.normalize(smallPdf(number), defaultOptions)
    }
  }
  await run(20)
  const startedAt = performance.now()
  await run(documents)
  const rate = (documents / (performance.now() - startedAt)) * 1000
  await pool.close()
  return rate
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`
}
