/** Facts of a span: names of OpenTelemetry's semantic conventions, or `pdfnorm.…`. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>

export interface SpanDescription {
  readonly name: string
  readonly kind?: 'server' | 'consumer' | 'producer' | 'client' | 'internal'
  readonly attributes?: SpanAttributes
  /** The trace to go on with (W3C Trace Context); default: that of the span around. */
  readonly traceparent?: string | undefined
}

/** A span that is going on. */
export interface Span {
  rename(name: string): void
  set(attributes: SpanAttributes): void
  fail(reason: string): void
}

/** What records spans and sends them away (open-telemetry.ts). */
export interface Tracer {
  /** Ends with the promise of `work`, failed where that rejects. */
  during<Result>(span: SpanDescription, work: (span: Span) => Promise<Result>): Promise<Result>
  /** A span inside of the current one whose time is over: `endedMsAgo`, after `durationMs`. */
  record(span: SpanDescription, time: { durationMs: number; endedMsAgo: number }): void
  traceparent(): string | undefined
}

// A trace goes through everything that the process does, and so there is one tracer for all of it.
let current: Tracer | null = null

/** From now on spans are recorded; null: they are not, and cost nothing. */
export function traceWith(tracer: Tracer | null): void {
  current = tracer
}

export function isTracing(): boolean {
  return current !== null
}

/** Does the work in a span. */
export function inSpan<Result>(
  span: SpanDescription,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  return current === null ? work(untraced) : current.during(span, work)
}

export function recordSpan(
  span: SpanDescription,
  time: { durationMs: number; endedMsAgo: number },
): void {
  current?.record(span, time)
}

/** The header `traceparent` for what goes on elsewhere. */
export function currentTraceparent(): string | undefined {
  return current?.traceparent()
}

const untraced: Span = { rename() {}, set() {}, fail() {} }
