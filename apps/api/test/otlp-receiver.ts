import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A span as it was sent. */
export interface ReceivedSpan {
  traceId: string
  spanId: string
  /** Empty for the first span of a trace. */
  parentSpanId: string
  name: string
}

/** Takes traces as a collector does: OTLP over HTTP, as protobuf. */
export async function startOtlpReceiver() {
  const spans: ReceivedSpan[] = []
  const server = createServer()
  server.on('request', async (req: IncomingMessage, res: ServerResponse) => {
    const body = await buffer(req)
    if (req.url === '/v1/traces') spans.push(...spansIn(body))
    res.setHeader('Content-Type', 'application/x-protobuf').end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** ExportTraceServiceRequest → resource_spans (1) → scope_spans (2) → spans (2), of opentelemetry-proto. */
function spansIn(request: Uint8Array): ReceivedSpan[] {
  return fields(request, 1)
    .flatMap((resourceSpans) => fields(resourceSpans, 2))
    .flatMap((scopeSpans) => fields(scopeSpans, 2))
    .map((span) => ({
      traceId: hex(fields(span, 1)),
      spanId: hex(fields(span, 2)),
      parentSpanId: hex(fields(span, 4)),
      name: Buffer.concat(fields(span, 5)).toString(),
    }))
}

function hex(values: Uint8Array[]): string {
  return Buffer.concat(values).toString('hex')
}

/** The length-delimited values of one field of a protobuf message. */
function fields(message: Uint8Array, wanted: number): Uint8Array[] {
  const values: Uint8Array[] = []
  let at = 0
  const varint = () => {
    let value = 0
    for (let shift = 0; at < message.length; shift += 7) {
      const byte = message[at++] ?? 0
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) break
    }
    return value
  }
  while (at < message.length) {
    const tag = varint()
    const wireType = tag & 7
    if (wireType === 0) varint()
    else if (wireType === 1) at += 8
    else if (wireType === 5) at += 4
    else {
      const length = varint()
      if (Math.floor(tag / 8) === wanted) values.push(message.subarray(at, at + length))
      at += length
    }
  }
  return values
}
