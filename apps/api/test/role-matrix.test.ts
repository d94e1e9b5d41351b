import { randomUUID } from 'node:crypto'
import { contract } from '@pdfnorm/contracts/endpoint/contract'
import { dataProtection } from '@pdfnorm/contracts/endpoint/data-protection'
import { type ApiKeyScope, CreatedApiKey } from '@pdfnorm/contracts/schema/api-key'
import { isAtLeast, type MemberRole, memberRoles } from '@pdfnorm/contracts/schema/member'
import type { TRPCClientError } from '@trpc/client'
import { createTRPCUntypedClient, httpLink } from '@trpc/client'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { metadataOf, type MountedEndpoint } from '../src/mounted-endpoint.ts'
import { portalRpc } from '../src/rpc/portal-rpc.ts'
import { registerTestOrganization } from './organization.ts'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

interface NamedEndpoint {
  operationId: string
  endpoint: MountedEndpoint
}

/** Every endpoint of the contract that asks for this kind of credentials. */
function endpointsFor(auth: 'api-key' | 'bearer'): NamedEndpoint[] {
  return Object.values(contract)
    .flatMap((group) => Object.entries<MountedEndpoint>(group))
    .map(([operationId, endpoint]) => ({ operationId, endpoint }))
    .filter(({ endpoint }) => metadataOf(endpoint).auth === auth)
}

/** The table of the contract: whether a role may call the endpoint. */
function mayCall(endpoint: MountedEndpoint, role: MemberRole): boolean {
  const metadata = metadataOf(endpoint)
  // What a key may read every member may (decision 3.1).
  if (metadata.auth === 'api-key') return metadata.scopes.includes('read')
  return metadata.auth === 'bearer' && isAtLeast(role, metadata.role)
}

/** What was found where it is not what the table says. */
interface Disagreement {
  call: string
  role: string
  answered: string
}

test('each role may call exactly the endpoints that the table gives it', async () => {
  const endpoints = endpointsFor('bearer')
  expect(endpoints.length).toBeGreaterThan(30)

  const disagreements: Disagreement[] = []
  for (const { operationId, endpoint } of endpoints) {
    // An organization for each: some endpoints end it, or the session.
    const tokens = await seatOneOfEachRole()
    for (const role of memberRoles) {
      const code = await refusedWith(endpoint, { Authorization: `Bearer ${tokens[role]}` })
      const allowed = code !== 'INSUFFICIENT_ROLE'
      if (allowed !== mayCall(endpoint, role)) {
        disagreements.push({ call: operationId, role, answered: code })
      }
    }
  }
  expect(disagreements).toEqual([])
})

test('each role may call exactly the procedures whose endpoints the table gives it', async () => {
  const disagreements: Disagreement[] = []
  for (const [path, procedure] of procedures()) {
    const endpoint = procedure._def.meta?.endpoint
    if (endpoint === undefined) throw new Error(`${path} is the twin of no endpoint`)
    const tokens = await seatOneOfEachRole()
    for (const role of memberRoles) {
      const code = await procedureRefusedWith(path, procedure, tokens[role])
      const allowed = code !== 'INSUFFICIENT_ROLE'
      if (allowed !== mayCall(endpoint, role)) {
        disagreements.push({ call: path, role, answered: code })
      }
    }
  }
  expect(disagreements).toEqual([])
})

test('in a deactivated organization everybody reads what they may, and nobody changes anything but its data', async () => {
  const { owner } = await seatOneOfEachRole({ isActive: false })
  // Decision record 15: export, erasure and deletion.
  const rights = new Set(Object.keys(dataProtection))
  const disagreements: Disagreement[] = []
  for (const { operationId, endpoint } of endpointsFor('bearer')) {
    // Signing out ends nothing but a session of one's own; it would end the one that asks here.
    if (operationId === 'logout') continue
    const code = await refusedWith(endpoint, { Authorization: `Bearer ${owner}` })
    const isRefused = endpoint.method !== 'GET' && !rights.has(operationId)
    if ((code === 'ORGANIZATION_INACTIVE') !== isRefused) {
      disagreements.push({ call: operationId, role: 'owner', answered: code })
    }
  }
  expect(disagreements).toEqual([])
})

test('a key may call exactly the endpoints that decision 3.3 gives its scopes', async () => {
  const normalizes = new Set(['normalizePdf', 'createBatch', 'getSubmission'])
  const keys = await keyOfEachScope()
  const disagreements: Disagreement[] = []
  for (const { operationId, endpoint } of endpointsFor('api-key')) {
    const expected: Record<ApiKeyScope, boolean> = {
      normalize: normalizes.has(operationId),
      read: endpoint.method === 'GET',
    }
    for (const scope of ['normalize', 'read'] as const) {
      const code = await refusedWith(endpoint, { 'X-Api-Key': keys[scope] })
      if ((code !== 'INSUFFICIENT_SCOPE') !== expected[scope]) {
        disagreements.push({ call: operationId, role: scope, answered: code })
      }
    }
  }
  expect(disagreements).toEqual([])
})

/** Calls with ids of nothing and without a body, so that whoever may call does nothing. */
async function refusedWith(
  { method, path }: MountedEndpoint,
  headers: Record<string, string>,
): Promise<string> {
  const response = await server.fetch(path.replaceAll(/:\w+/g, uuidv7()), {
    method,
    headers,
    redirect: 'manual',
  })
  const body: unknown = response.headers.get('content-type')?.includes('json')
    ? await response.json()
    : null
  return codeIn(body) ?? String(response.status)
}

interface RpcProcedure {
  _def: { type: 'query' | 'mutation' | 'subscription'; meta?: { endpoint: MountedEndpoint } }
}

/** By their paths, `team.list`; the type nests what the router has flat. */
function procedures(): [path: string, procedure: RpcProcedure][] {
  return Object.entries<unknown>(portalRpc._def.procedures).map(([path, procedure]) => [
    path,
    procedure as RpcProcedure,
  ])
}

async function procedureRefusedWith(
  path: string,
  procedure: RpcProcedure,
  token: string,
): Promise<string> {
  const client = createTRPCUntypedClient<typeof portalRpc>({
    links: [httpLink({ url: `${server.url}/rpc`, headers: { Authorization: `Bearer ${token}` } })],
  })
  try {
    await (procedure._def.type === 'query' ? client.query(path) : client.mutation(path))
    return '200'
  } catch (error) {
    const { data } = error as TRPCClientError<typeof portalRpc>
    return data?.refusal ?? data?.code ?? String(error)
  }
}

function codeIn(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || !('code' in body)) return null
  return String(body.code)
}

/** Access tokens for a member of each role, of an organization of their own. */
async function seatOneOfEachRole({ isActive = true } = {}): Promise<Record<MemberRole, string>> {
  const organizationId = uuidv7()
  await server.database.query(
    `insert into organization (id, name, slug, schema_name, allowed_regions, plan_tier, is_active, created_at)
     values ($1, 'Roles', $2, $4, '{us-east-2}', 'free', $3, now())`,
    [organizationId, randomUUID(), isActive, `org_${organizationId.replaceAll('-', '')}`],
  )
  const seat = async (role: MemberRole): Promise<string> => {
    const [memberId, sessionId] = [uuidv7(), uuidv7()]
    await server.database.query(
      `insert into member (id, organization_id, email, role, is_active, email_verified, created_at)
       values ($1, $2, $3, $4, true, true, now())`,
      [memberId, organizationId, `${randomUUID()}@example.com`, role],
    )
    await server.database.query(
      `insert into session (id, organization_id, member_id, created_at, expires_at)
       values ($1, $2, $3, now(), now() + interval '1 day')`,
      [sessionId, organizationId, memberId],
    )
    return server.platform.accessTokens.issue({
      sub: memberId,
      org: organizationId,
      role,
      sid: sessionId,
    })
  }
  return { member: await seat('member'), admin: await seat('admin'), owner: await seat('owner') }
}

async function keyOfEachScope(): Promise<Record<ApiKeyScope, string>> {
  const organization = await registerTestOrganization(server)
  const keyFor = async (scope: ApiKeyScope) =>
    CreatedApiKey.parse(await organization.createKey([scope])).fullKey
  return { normalize: await keyFor('normalize'), read: await keyFor('read') }
}
