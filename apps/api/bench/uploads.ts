import { execFile } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { plans } from '@pdfnorm/contracts/schema/plan'
import { BenchCustomer } from './bench-customer.ts'
import { startBenchService } from './bench-service.ts'

const uploads = 20
const boundary = 'bench-boundary'

/** How much the API process grows while it takes in uploads of the largest size at once; nobody works them off. */
export async function benchUploads(): Promise<void> {
  const service = await startBenchService(0)
  try {
    const { pid } = service.api
    const customer = await BenchCustomer.register(service.url, service.database)
    // What one upload needs anyhow, code and buffers, is there before.
    await upload(service.url, customer)
    const before = await residentMiB(pid)
    const watch = watchPeak(pid)
    const startedAt = performance.now()
    await Promise.all(Array.from({ length: uploads }, () => upload(service.url, customer)))
    const seconds = (performance.now() - startedAt) / 1000
    const peak = await watch.end()
    const mebibytes = (uploads * plans.pro.maxFileBytes) / 2 ** 20
    console.log(
      `${uploads} uploads of ${plans.pro.maxFileBytes / 2 ** 20} MiB at once: the process grew ` +
        `from ${before.toFixed(0)} to ${peak.toFixed(0)} MiB, by ` +
        `${(((peak - before) / mebibytes) * 100).toFixed(1)} % of what came in ` +
        `(${(mebibytes / seconds).toFixed(0)} MiB a second)`,
    )
  } finally {
    await service.stop()
  }
}

async function upload(url: string, customer: BenchCustomer): Promise<void> {
  const response = await fetch(`${url}/api/normalize`, {
    method: 'POST',
    headers: {
      ...customer.keyHeader,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      prefer: 'respond-async',
    },
    body: ReadableStream.from(largeUpload()),
    duplex: 'half',
  })
  const body = await response.text()
  if (response.status !== 202) throw new Error(`An upload was answered ${response.status}: ${body}`)
}

/** The form in pieces, so that this process holds none of it. */
function* largeUpload(): Generator<Uint8Array> {
  yield Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="large.pdf"\r\n` +
      'Content-Type: application/pdf\r\n\r\n',
  )
  const head = Buffer.from('%PDF-1.7\n')
  yield head
  const piece = Buffer.alloc(256 * 1024, '%padding\n')
  for (let left = plans.pro.maxFileBytes - head.length; left > 0; left -= piece.length) {
    yield piece.subarray(0, left)
  }
  yield Buffer.from(`\r\n--${boundary}--\r\n`)
}

function watchPeak(pid: number): { end(): Promise<number> } {
  const over = new AbortController()
  const watch = async () => {
    let peak = 0
    while (!over.signal.aborted) {
      peak = Math.max(peak, await residentMiB(pid))
      await delay(50)
    }
    return peak
  }
  const watching = watch()
  return {
    end() {
      over.abort()
      return watching
    },
  }
}

/** Resident memory of a process, without its children. */
async function residentMiB(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])
  return Number(stdout.trim()) / 1024
}
