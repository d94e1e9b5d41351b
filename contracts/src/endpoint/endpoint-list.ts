import type { AppRoute, AppRouter } from '@ts-rest/core'
import { isAppRoute, isAppRouteNoBody, isAppRouteOtherResponse } from '@ts-rest/core'
import { z } from 'zod'
import { contract } from './contract.ts'
import type { EndpointMetadata } from './endpoint-metadata.ts'
import { operations } from './operations.ts'

/** An endpoint as plain data, for those who document or test the contract. */
export interface Endpoint {
  readonly group: string
  readonly operationId: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With `:name` for each path parameter. */
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly metadata: EndpointMetadata
  readonly pathParams: Readonly<Record<string, z.ZodType>>
  readonly query: Readonly<Record<string, z.ZodType>>
  readonly headers: Readonly<Record<string, z.ZodType>>
  readonly request: Body | null
  readonly responses: readonly Response[]
}

export interface Body {
  readonly contentType: string
  /** null: bytes. */
  readonly schema: z.ZodType | null
}

export interface Response {
  readonly status: number
  readonly body: Body | null
}

/** Every endpoint that is mounted, in the contract's order. */
export function mountedEndpoints(): Endpoint[] {
  return Object.entries(contract).flatMap(([group, endpoints]) => endpointsOf(group, endpoints))
}

/** Every endpoint that the service answers: the mounted ones, then those of the process itself. */
export function documentedEndpoints(): Endpoint[] {
  return [...mountedEndpoints(), ...endpointsOf('operations', operations)]
}

function endpointsOf(group: string, router: AppRouter): Endpoint[] {
  return Object.entries(router).flatMap(([operationId, endpoint]) =>
    isAppRoute(endpoint) ? [describe(group, operationId, endpoint)] : [],
  )
}

function describe(group: string, operationId: string, route: AppRoute): Endpoint {
  const { summary, description, metadata } = route
  if (summary === undefined || description === undefined || !isMetadata(metadata)) {
    throw new Error(`${operationId} lacks its summary, its description or its metadata`)
  }
  return {
    group,
    operationId,
    method: route.method,
    path: route.path,
    summary,
    description,
    metadata,
    pathParams: shapeOf(route.pathParams),
    query: shapeOf(route.query),
    headers: schemasOf(route.headers),
    request: requestOf(route),
    responses: Object.entries(route.responses).map(([status, response]) => ({
      status: Number(status),
      body: responseBody(Number(status), response),
    })),
  }
}

function isMetadata(metadata: unknown): metadata is EndpointMetadata {
  return typeof metadata === 'object' && metadata !== null && 'auth' in metadata
}

function shapeOf(schema: unknown): Record<string, z.ZodType> {
  return schema instanceof z.ZodObject ? schemasOf(schema.shape) : {}
}

function schemasOf(record: unknown): Record<string, z.ZodType> {
  const schemas: Record<string, z.ZodType> = {}
  for (const [name, schema] of Object.entries(record ?? {})) {
    if (schema instanceof z.ZodType) schemas[name] = schema
  }
  return schemas
}

function requestOf(route: AppRoute): Body | null {
  if (!('body' in route) || isAppRouteNoBody(route.body)) return null
  return {
    contentType: route.contentType ?? 'application/json',
    schema: route.body instanceof z.ZodType ? route.body : null,
  }
}

function responseBody(status: number, response: AppRoute['responses'][number]): Body | null {
  if (isAppRouteNoBody(response)) return null
  const { contentType, body } = isAppRouteOtherResponse(response)
    ? response
    : { contentType: jsonType(status), body: response }
  return { contentType, schema: body instanceof z.ZodType ? body : null }
}

/** Refusals are problem documents (RFC 9457). */
function jsonType(status: number): string {
  return status >= 400 ? 'application/problem+json' : 'application/json'
}
