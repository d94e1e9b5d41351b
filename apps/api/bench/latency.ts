import { setTimeout as delay } from 'node:timers/promises'
import { isTerminal } from '@pdfnorm/contracts/schema/submission'
import { BenchCustomer } from './bench-customer.ts'
import { startBenchService } from './bench-service.ts'
import { quantile } from './quantile.ts'
import { smallPdf } from './small-pdf.ts'

const documents = 110

/** The time from a 202 to SUCCESS while nothing else is to be done, beside what the pipeline took of it. */
export async function benchLatency(): Promise<void> {
  const service = await startBenchService(1)
  try {
    await service.workers[0]?.start()
    const customer = await BenchCustomer.register(service.url, service.database)
    const waits: number[] = []
    const processing: number[] = []
    for (let document = 0; document < documents; document += 1) {
      const { waitMs, processingMs } = await timeToSuccess(customer, document)
      // The first ones warm up.
      if (document < 10) continue
      waits.push(waitMs)
      processing.push(processingMs)
    }
    console.log(
      `from 202 to SUCCESS: p50 ${quantile(waits, 0.5).toFixed(0)} ms, p99 ` +
        `${quantile(waits, 0.99).toFixed(0)} ms; the pipeline's part is ` +
        `${quantile(processing, 0.5).toFixed(0)} and ${quantile(processing, 0.99).toFixed(0)} ms ` +
        `(${waits.length} documents, one after another)`,
    )
  } finally {
    await service.stop()
  }
}

async function timeToSuccess(
  customer: BenchCustomer,
  document: number,
): Promise<{ waitMs: number; processingMs: number }> {
  const prefer = { prefer: 'respond-async' }
  const { submissionId } = await customer.submit(smallPdf(document), {}, prefer)
  const answeredAt = Date.now()
  for (;;) {
    const record = await customer.submission(submissionId)
    if (isTerminal(record.status) && record.completedAt !== null) {
      // Taken from the record, so that it does not matter how often one asks.
      const waitMs = Math.max(0, new Date(record.completedAt).getTime() - answeredAt)
      return { waitMs, processingMs: record.processingTimeMs }
    }
    await delay(25)
  }
}
