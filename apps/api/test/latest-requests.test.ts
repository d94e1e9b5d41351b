import { createTRPCClient, httpBatchLink } from '@trpc/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PortalRpc } from '../src/rpc/portal-rpc.ts'
import { completedExport, requestExport } from './export.ts'
import { joinTestOrganization } from './member.ts'
import { registerTestOrganization } from './organization.ts'
import { startTestServer, type TestServer } from './server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ work: true })
})
afterAll(() => server[Symbol.asyncDispose]())

test('the portal reads where the latest requests about the data stand, each organization its own', async () => {
  const organization = await registerTestOrganization(server)
  const latest = () => latestOf(organization.accessToken)
  expect(await latest()).toEqual({ export: null, erasure: null, deletion: null })

  const former = await requestExport(organization)
  await completedExport(organization, former.exportId)
  const { exportId } = await requestExport(organization)
  const completed = await completedExport(organization, exportId)
  const day = 24 * 60 * 60 * 1000
  const { export: found } = await latest()
  expect(found).toEqual({ ...completed, expiresAt: expect.any(String) })
  expect(Date.parse(found?.expiresAt ?? '') - Date.parse(completed.completedAt ?? '')).toBe(7 * day)

  await organization.fetch('/api/portal/erasure', { method: 'POST' })
  await expect
    .poll(async () => (await latest()).erasure, { interval: 20, timeout: 20_000 })
    .toEqual({ requestedAt: expect.any(String), completedAt: expect.any(String) })
  const voided = (await latest()).export
  expect(Date.parse(voided?.expiresAt ?? '')).toBeLessThanOrEqual(Date.now())

  const requested = await organization.fetch('/api/portal/data', { method: 'DELETE' })
  expect((await latest()).deletion).toEqual(await requested.json())
  const admin = await joinTestOrganization(server, organization, 'admin')
  expect(await latestOf(admin.accessToken)).toEqual({ ...(await latest()), deletion: null })

  const other = await registerTestOrganization(server)
  expect(await latestOf(other.accessToken)).toEqual({ export: null, erasure: null, deletion: null })
})

function latestOf(accessToken: string) {
  const portal = createTRPCClient<PortalRpc>({
    links: [
      httpBatchLink({
        url: `${server.url}/rpc`,
        headers: { Authorization: `Bearer ${accessToken}` },
      }),
    ],
  })
  return portal.dataProtection.latest.query()
}
