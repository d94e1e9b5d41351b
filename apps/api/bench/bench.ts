import { benchDeliveries } from './deliveries.ts'
import { benchLatency } from './latency.ts'
import { benchHttp } from './http.ts'
import { benchThroughput } from './throughput.ts'
import { benchUploads } from './uploads.ts'

/** Each in a service of its own, one after another; names as arguments choose some. */
const benches = {
  http: benchHttp,
  throughput: benchThroughput,
  latency: benchLatency,
  deliveries: benchDeliveries,
  uploads: benchUploads,
}

const chosen = process.argv.slice(2)
for (const [name, bench] of Object.entries(benches)) {
  if (chosen.length === 0 || chosen.includes(name)) await bench()
}
