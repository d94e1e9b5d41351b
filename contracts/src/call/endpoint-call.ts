import { contract } from '../endpoint/contract.ts'
import type { EndpointMetadata } from '../endpoint/endpoint-metadata.ts'
import { type Answer, answerOfType, type Call, encoded, queryText } from './call.ts'

/** What is read of an endpoint of the contracts. */
export interface CalledEndpoint {
  readonly method: string
  readonly path: string
  readonly summary?: string
  readonly metadata?: unknown
  readonly responses?: Readonly<Record<number, unknown>>
}

export interface CallValues {
  /** Values for the `:names` of the path; a name without one stays visible. */
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | undefined>>
  /** The JSON body, or the text fields beside the file. */
  readonly body?: Readonly<Record<string, unknown>>
}

/** A call of an endpoint of the contracts. */
export function endpointCall(
  endpoint: CalledEndpoint,
  { path = {}, query = {}, body }: CallValues,
  baseUrl: string | null,
): Call {
  const metadata = endpoint.metadata as EndpointMetadata | undefined
  const names = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const pathValues = names.map((name) => path[name] ?? capitals(name))
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  const filled = names.reduce(
    (address, name, at) => address.replace(`:${name}`, encoded(pathValues[at])),
    endpoint.path,
  )
  return {
    operationId: operationIdOf(endpoint),
    method: endpoint.method,
    baseUrl,
    target: filled + queryText(given),
    pathValues,
    query: given,
    credentials: credentialsOf(metadata),
    body: bodyOf(metadata, body),
    answer: answerOf(endpoint.responses, metadata),
  }
}

/** `normalizedSha256` as `NORMALIZED_SHA256`. */
function capitals(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()
}

/** @throws {Error} for an endpoint that is not in the contract */
function operationIdOf({ method, path }: CalledEndpoint): string {
  const all = Object.values(contract).flatMap((group) =>
    Object.entries<CalledEndpoint>({ ...group }),
  )
  const found = all.find(([, endpoint]) => endpoint.method === method && endpoint.path === path)
  if (found === undefined) throw new Error(`The contract has no ${method} ${path}`)
  return found[0]
}

function credentialsOf(metadata: EndpointMetadata | undefined): Call['credentials'] {
  if (metadata?.auth === 'api-key') return 'api-key'
  if (metadata?.auth === 'bearer') return 'access-token'
  return metadata?.auth === 'none' && metadata.cookie !== undefined ? 'refresh-cookie' : null
}

function bodyOf(metadata: EndpointMetadata | undefined, body: CallValues['body']): Call['body'] {
  const given = Object.entries(body ?? {}).filter(([, value]) => value !== undefined)
  if (metadata?.upload !== undefined) {
    return { kind: 'form', fields: given.map(([name, value]) => [name, String(value)] as const) }
  }
  return body === undefined ? null : { kind: 'json', value: Object.fromEntries(given) }
}

function answerOf(
  responses: CalledEndpoint['responses'] = {},
  metadata: EndpointMetadata | undefined,
): Answer {
  if (metadata?.redirectsTo !== undefined) return answerOfType(metadata.redirectsTo.contentType)
  const good = responses[200]
  const isTyped = typeof good === 'object' && good !== null && 'contentType' in good
  return answerOfType(isTyped ? String(good.contentType) : 'application/json')
}
