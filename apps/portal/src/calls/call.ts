import type { EndpointMetadata } from '@pdfnorm/contracts/endpoint/endpoint-metadata'

/** A call of an endpoint, for people to copy. */
export interface Call {
  /** As the contracts have it: method, path and what it wants of its caller. */
  readonly endpoint: {
    readonly method: string
    readonly path: string
    readonly summary?: string
    readonly metadata?: unknown
  }
  /** Values for the `:names` of the path; a name without one stays visible. */
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | undefined>>
  /** The JSON body, or the text fields beside the file. */
  readonly body?: Readonly<Record<string, unknown>>
}

export interface WrittenCall {
  readonly method: string
  readonly url: string
  /** What it wants of its caller: the header, and the variable that holds its value. */
  readonly credential: { header: string; prefix: string; variable: string } | null
  readonly json: Readonly<Record<string, unknown>> | null
  /** The multipart body: the file's field, and the other fields. */
  readonly form: { fileField: string; fields: Readonly<Record<string, string>> } | null
  /** The type of answer that is a file. */
  readonly savesAs: string | null
}

/** The parts of a call that each language writes in its own way. */
export function writtenCall(
  { endpoint, path = {}, query = {}, body }: Call,
  origin: string,
): WrittenCall {
  const metadata = endpoint.metadata as EndpointMetadata | undefined
  const url = new URL(
    endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) =>
      path[name] === undefined
        ? name.replaceAll(/[A-Z]/g, (c) => `_${c}`).toUpperCase()
        : encodeURIComponent(path[name]),
    ),
    origin,
  )
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  const upload = metadata?.upload
  return {
    method: endpoint.method,
    url: url.href,
    credential: credentialOf(metadata),
    json: upload === undefined && body !== undefined ? body : null,
    form:
      upload === undefined
        ? null
        : {
            fileField: upload.field,
            fields: Object.fromEntries(
              Object.entries(body ?? {}).map(([name, value]) => [name, String(value)]),
            ),
          },
    savesAs: endpoint.path.startsWith('/api/artifacts/') ? 'normalized.pdf' : null,
  }
}

function credentialOf(metadata: EndpointMetadata | undefined): WrittenCall['credential'] {
  if (metadata?.auth === 'api-key') {
    return { header: 'X-Api-Key', prefix: '', variable: 'PDFNORM_API_KEY' }
  }
  if (metadata?.auth === 'bearer') {
    return { header: 'Authorization', prefix: 'Bearer ', variable: 'ACCESS_TOKEN' }
  }
  return null
}
