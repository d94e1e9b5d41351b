import {
  context,
  type Context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { SpanAttributes, SpanDescription, Tracer } from './tracing.ts'

/** What is not sent by then when the process ends is lost. */
const flushTimeoutMs = 3_000

/**
 * Records spans and sends them by OTLP. The exporter reads its settings itself (`OTEL_EXPORTER_OTLP_ENDPOINT`,
 * `OTEL_EXPORTER_OTLP_HEADERS` and their like), and so does the resource (`OTEL_SERVICE_NAME`,
 * `OTEL_RESOURCE_ATTRIBUTES`). This module is loaded only where traces are wanted: its packages take their time.
 *
 * @param sampleRatio of the traces that begin here; one that a caller began is recorded if the caller's is
 */
export function openTracer(
  role: string,
  sampleRatio: number,
): { tracer: Tracer; stop: () => Promise<void> } {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'pdfnorm', 'pdfnorm.role': role }))
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampleRatio) }),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), scheduledDelayMillis: 1_000 }),
    ],
  })
  const tracer = provider.getTracer('pdfnorm')

  const start = (
    { name, kind, attributes = {}, traceparent }: SpanDescription,
    startTime?: number,
  ) => {
    const parent = traceparent === undefined ? context.active() : contextOf(traceparent)
    const span = tracer.startSpan(
      name,
      {
        kind: kinds[kind ?? 'internal'],
        attributes,
        ...(startTime !== undefined && { startTime }),
      },
      parent,
    )
    return { span, inside: trace.setSpan(parent, span) }
  }

  return {
    tracer: {
      async during(description, work) {
        const { span, inside } = start(description)
        const fail = (message: string) => {
          span.setStatus({ code: SpanStatusCode.ERROR, message })
        }
        try {
          return await context.with(inside, () =>
            work({
              rename: (name) => span.updateName(name),
              set: (attributes: SpanAttributes) => span.setAttributes(attributes),
              fail,
            }),
          )
        } catch (error) {
          fail(error instanceof Error ? error.message : String(error))
          throw error
        } finally {
          span.end()
        }
      },
      record(description, { durationMs, endedMsAgo }) {
        const endTime = Date.now() - endedMsAgo
        start(description, endTime - durationMs).span.end(endTime)
      },
      traceparent() {
        const carrier: Record<string, string> = {}
        propagator.inject(context.active(), carrier, {
          set: (_carrier, key, value) => (carrier[key] = value),
        })
        return carrier['traceparent']
      },
    },
    async stop() {
      await provider.forceFlush({ timeoutMillis: flushTimeoutMs }).catch(() => undefined)
      await provider.shutdown().catch(() => undefined)
    },
  }
}

const propagator = new W3CTraceContextPropagator()

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const

/** What is not well-formed begins a trace of its own. */
function contextOf(traceparent: string): Context {
  return propagator.extract(ROOT_CONTEXT, traceparent, {
    get: (value, key) => (key === 'traceparent' ? value : undefined),
    keys: () => ['traceparent'],
  })
}
