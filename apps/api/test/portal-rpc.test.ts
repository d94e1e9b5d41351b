import { OrganizationResponse } from '@pdfnorm/contracts/schema/organization'
import { createTRPCClient, httpBatchLink, TRPCClientError } from '@trpc/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { portalRpc, type PortalRpc } from '../src/rpc/portal-rpc.ts'
import { registerTestOrganization } from './organization.ts'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

test('an internal app gets what the endpoint answers', async () => {
  const organization = await registerTestOrganization(server)
  const response = await organization.fetch('/api/portal/organization')
  const overHttp = OrganizationResponse.parse(await response.json())
  const key = await organization.createKey()

  const portal = client(organization.accessToken)
  expect(await portal.organization.get.query()).toEqual(overHttp)
  expect(await portal.apiKeys.list.query()).toMatchObject([{ id: key.id }])
})

test('nobody without a session gets in, and the refusal has the code of the interface', async () => {
  const call = client(null).organization.get.query()
  await expect(call).rejects.toThrow(TRPCClientError)
  await expect(call).rejects.toMatchObject({
    data: { code: 'UNAUTHORIZED', httpStatus: 401, refusal: 'MISSING_CREDENTIALS' },
  })

  const { fetch, accessToken } = await registerTestOrganization(server)
  await fetch('/api/auth/logout', { method: 'POST' })
  await expect(client(accessToken).organization.get.query()).rejects.toMatchObject({
    data: { httpStatus: 401, refusal: 'INVALID_ACCESS_TOKEN' },
  })
})

test('the internal apps have these procedures', () => {
  expect(Object.keys(portalRpc._def.procedures).sort()).toEqual([
    'apiKeys.list',
    'organization.get',
  ])
})

function client(accessToken: string | null) {
  const headers = accessToken === null ? {} : { Authorization: `Bearer ${accessToken}` }
  return createTRPCClient<PortalRpc>({
    links: [httpBatchLink({ url: `${server.url}/rpc`, headers })],
  })
}
