import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  documentedEndpoints,
  type Endpoint,
  mountedEndpoints,
} from '../src/endpoint/endpoint-list.ts'
import type { EndpointAccess } from '../src/endpoint/endpoint-metadata.ts'
import { type ProblemCode, problemCodes, problems } from '../src/schema/problem.ts'
import { additiveEndpoints, interfaceTable } from './interface-table.ts'

const documented = documentedEndpoints()
const mounted = mountedEndpoints()

test('every endpoint of the interface and every additive one is promised, and no other', () => {
  const promised = documented.map(nameOf).sort()
  expect(promised).toEqual(
    [...interfaceTable.map((row) => row.endpoint), ...additiveEndpoints].sort(),
  )
})

test('an operation has one name', () => {
  const ids = documented.map((endpoint) => endpoint.operationId)
  expect(new Set(ids).size).toBe(ids.length)
})

describe.each(interfaceTable)('$endpoint', ({ endpoint, access, needs, statuses }) => {
  const found = documented.find((candidate) => nameOf(candidate) === endpoint)

  test('has the access class, scope or role of the interface', () => {
    expect(found?.metadata.auth).toBe(access)
    expect(found && needOf(found.metadata)).toBe(needs)
  })

  test('promises the statuses of the interface', () => {
    expect(found?.responses.map((response) => response.status)).toEqual(
      expect.arrayContaining([...statuses]),
    )
  })

  test('succeeds in no other way than the interface says', () => {
    const successes = statuses.filter((status) => status < 400)
    const additive = endpoint === 'GET /api/artifacts/:hash' ? [206, 304] : []
    expect(
      found?.responses.map((response) => response.status).filter((status) => status < 400),
    ).toEqual([...successes, ...additive])
  })
})

describe.each(mounted)('$operationId', (endpoint) => {
  const codes = codesOf(endpoint)
  const { metadata } = endpoint

  test('lists what any endpoint may refuse with', () => {
    expect(codes).toEqual(
      expect.arrayContaining(['UNKNOWN_API_VERSION', 'INTERNAL_ERROR', 'UNAVAILABLE']),
    )
    expect(codes.includes('RATE_LIMITED')).toBe(metadata.rateLimit !== null)
  })

  test('lists the refusals of its access class, and those only', () => {
    const byKey: ProblemCode[] = ['INVALID_API_KEY', 'INSUFFICIENT_SCOPE']
    expect(codes.filter((code) => byKey.includes(code))).toEqual(
      metadata.auth === 'api-key' ? byKey : [],
    )
    expect(codes.includes('MISSING_CREDENTIALS')).toBe(metadata.auth !== 'none')
    expect(codes.includes('INVALID_ACCESS_TOKEN')).toBe(metadata.auth === 'bearer')
    expect(codes.includes('INSUFFICIENT_ROLE')).toBe(
      metadata.auth === 'bearer' && metadata.role !== 'member',
    )
  })

  test('refuses a change to a deactivated organization', () => {
    const isPortalChange =
      metadata.auth === 'bearer' && endpoint.method !== 'GET' && endpoint.operationId !== 'logout'
    const others = ['normalizePdf', 'createBatch', 'acceptInvite']
    // Decision record 15: the rights to the own data stay.
    const rights = [
      'requestDataExport',
      'eraseContent',
      'requestAccountDeletion',
      'cancelAccountDeletion',
    ]
    expect(codes.includes('ORGANIZATION_INACTIVE')).toBe(
      (isPortalChange && !rights.includes(endpoint.operationId)) ||
        others.includes(endpoint.operationId),
    )
  })

  test('lists the refusals of its body and its parameters', () => {
    expect(codes.includes('UNSUPPORTED_MEDIA_TYPE')).toBe(endpoint.request !== null)
    expect(codes.includes('VALIDATION_ERROR')).toBe(
      endpoint.request !== null || Object.keys(endpoint.query).length > 0,
    )
    for (const name of Object.keys(endpoint.pathParams)) {
      expect(metadata.faults).toHaveProperty([`path.${name}`])
    }
  })

  test('lists every code that a fault of its request may have', () => {
    expect(codes).toEqual(expect.arrayContaining(Object.values(metadata.faults ?? {})))
  })

  test('names only places that its request has', () => {
    for (const place of Object.keys(metadata.faults ?? {})) {
      const [part, name = ''] = place.split('.')
      const fields =
        part === 'path' ? endpoint.pathParams : part === 'body' ? bodyFields(endpoint) : {}
      expect(Object.keys(fields)).toContain(name)
    }
  })

  test('gives headers of its own only to answers that it promises', () => {
    const statuses = endpoint.responses.map((response) => String(response.status))
    expect(statuses).toEqual(expect.arrayContaining(Object.keys(metadata.responseHeaders ?? {})))
  })
})

test('every refusal code is given by an endpoint', () => {
  const given = new Set(documented.flatMap(codesOf))
  // A method that a path does not take, and what cannot be read as a request, reaches no endpoint.
  expect(problemCodes.filter((code) => !given.has(code))).toEqual([
    'METHOD_NOT_ALLOWED',
    'REQUEST_TIMEOUT',
    'HEADERS_TOO_LARGE',
  ])
})

function nameOf({ method, path }: Endpoint): string {
  return `${method} ${path}`
}

function needOf(access: EndpointAccess): string | undefined {
  if (access.auth === 'api-key') return access.scopes.join(' or ')
  return access.auth === 'bearer' ? access.role : undefined
}

function codesOf(endpoint: Endpoint): ProblemCode[] {
  return endpoint.responses.flatMap(({ status, body }) => {
    if (status < 400 || !(body?.schema instanceof z.ZodObject)) return []
    const listed: unknown = body.schema.shape['code']
    if (!(listed instanceof z.ZodLiteral)) return []
    return problemCodes.filter(
      (code) => listed.values.has(code) && problems[code].status === status,
    )
  })
}

function bodyFields(endpoint: Endpoint): object {
  const schema = endpoint.request?.schema
  return schema instanceof z.ZodObject ? schema.shape : {}
}
