import type { EndpointMetadata } from '@pdfnorm/contracts/endpoint/endpoint-metadata'
import type { ProblemCode } from '@pdfnorm/contracts/schema/problem'
import { z } from 'zod'

/** An endpoint of the contract as the middleware sees it. */
export interface MountedEndpoint {
  method: string
  path: string
  metadata?: unknown
  body?: unknown
  responses: Readonly<Record<number, unknown>>
}

/** What the contract demands of the endpoint's callers. Every endpoint states it; a test checks. */
export function metadataOf(endpoint: MountedEndpoint): EndpointMetadata {
  if (typeof endpoint.metadata !== 'object' || endpoint.metadata === null) {
    throw new Error(`${endpoint.method} ${endpoint.path} states no metadata`)
  }
  return endpoint.metadata as EndpointMetadata
}

/** Whether the endpoint's contract lists the code among its refusals. */
export function lists(endpoint: MountedEndpoint, status: number, code: ProblemCode): boolean {
  const response = endpoint.responses[status]
  if (!(response instanceof z.ZodObject)) return false
  const listed: unknown = response.shape['code']
  return listed instanceof z.ZodLiteral && listed.values.has(code)
}
