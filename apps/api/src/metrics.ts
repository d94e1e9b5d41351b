import type { Outcome } from '@pdfnorm/normalizer/outcome'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** What the process counts. No label has a value that a tenant or a document can choose. */
export type Metrics = ReturnType<typeof openMetrics>

/** Metrics for Prometheus: base units, names by its conventions. docs/operating/metrics.md explains each. */
export function openMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]

  return {
    registry,
    requestDuration: new Histogram({
      name: 'pdfnorm_http_request_duration_seconds',
      help: 'Time from the first byte of a request to the last byte of its answer.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10, 30],
      registers,
    }),
    jobDuration: new Histogram({
      name: 'pdfnorm_job_duration_seconds',
      help: 'Time of one run of a job, from its fetch to its end.',
      labelNames: ['queue', 'result'],
      buckets: [0.01, 0.05, 0.2, 1, 5, 20, 60, 300],
      registers,
    }),
    stageDuration: new Histogram({
      name: 'pdfnorm_stage_duration_seconds',
      help: 'Time of a stage of the pipeline, for those that a document reached.',
      labelNames: ['stage'],
      buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
      registers,
    }),
    submissionsEnded: new Counter({
      name: 'pdfnorm_submissions_ended_total',
      help: 'Submissions that a run of this process ended; code is that of the failure, or none.',
      labelNames: ['status', 'code'],
      registers,
    }),
    documentSize: new Histogram({
      name: 'pdfnorm_document_size_bytes',
      help: 'Size of the originals that were run.',
      buckets: [16, 64, 256, 1024, 4096, 16_384, 65_536].map((kibibytes) => kibibytes * 1024),
      registers,
    }),
    webhookDeliveries: new Counter({
      name: 'pdfnorm_webhook_deliveries_total',
      help: 'Attempts to deliver an event.',
      labelNames: ['result'],
      registers,
    }),
  }
}

/** Counts a run that ended its submission. */
export function countOutcome(
  { submissionsEnded, stageDuration, documentSize }: Metrics,
  outcome: Outcome,
  status: string,
): void {
  const code = outcome.kind === 'normalized' ? 'none' : outcome.failure.code
  submissionsEnded.inc({ status, code })
  documentSize.observe(outcome.original.sizeBytes)
  for (const { name, durationMs, result } of outcome.stages) {
    if (result !== 'skipped') stageDuration.observe({ stage: name }, durationMs / 1000)
  }
}

interface Gauged<Label extends string> {
  readonly labels: Readonly<Record<Label, string>>
  readonly value: number
}

/** A gauge that is read when somebody asks. */
export function gaugeWhenAsked<Label extends string>(
  { registry }: Metrics,
  { name, help, labelNames }: { name: string; help: string; labelNames: readonly Label[] },
  read: () => Promise<readonly Gauged<Label>[]> | readonly Gauged<Label>[],
): void {
  const gauge = new Gauge({
    name,
    help,
    labelNames,
    registers: [],
    async collect() {
      const values = await read()
      this.reset()
      for (const { labels, value } of values) this.set(labels, value)
    },
  })
  registry.registerMetric(gauge)
}
