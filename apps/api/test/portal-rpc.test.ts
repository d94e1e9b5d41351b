import { Batch } from '@pdfnorm/contracts/schema/batch'
import { OrganizationResponse } from '@pdfnorm/contracts/schema/organization'
import { Problem } from '@pdfnorm/contracts/schema/problem'
import { createTRPCClient, httpBatchLink, TRPCClientError } from '@trpc/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { portalRpc, type PortalRpc } from '../src/rpc/portal-rpc.ts'
import { jsonPost, registerTestOrganization } from './organization.ts'
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

test('a refusal of a use case reaches the app with its code', async () => {
  const { accessToken } = await registerTestOrganization(server)
  const { apiKeys } = client(accessToken)
  const created = await apiKeys.create.mutate({ name: 'app', scopes: ['read'] })
  const revoked = await apiKeys.revoke.mutate({ id: created.id })
  expect(revoked).toEqual({ id: created.id, isActive: false })

  const kept = await apiKeys.create.mutate({ name: 'kept', scopes: ['read'] })
  const rotated = await apiKeys.rotate.mutate({ id: kept.id, overlapHours: 0 })
  expect(rotated).toMatchObject({ name: 'kept', scopes: ['read'] })

  const other = client((await registerTestOrganization(server)).accessToken)
  await expect(other.apiKeys.rotate.mutate({ id: rotated.id })).rejects.toMatchObject({
    data: { code: 'NOT_FOUND', refusal: 'NOT_FOUND' },
  })
  await expect(other.apiKeys.revoke.mutate({ id: created.id })).rejects.toMatchObject({
    data: { code: 'NOT_FOUND', refusal: 'NOT_FOUND' },
  })

  // Also one that the schema makes: over HTTP the same body has the same code.
  await expect(apiKeys.create.mutate({ name: '', scopes: ['read'] })).rejects.toMatchObject({
    data: { refusal: 'VALIDATION_ERROR', errors: [{ location: 'body.name', code: 'too_small' }] },
  })
  await expect(client(accessToken).batches.list.query({ page: 0 })).rejects.toMatchObject({
    data: { refusal: 'VALIDATION_ERROR', errors: [{ location: 'query.page' }] },
  })
})

test('a plain member changes nothing, and neither does anybody of a deactivated organization', async () => {
  const organization = await registerTestOrganization(server)
  const { apiKeys } = client(organization.accessToken)
  const create = () => apiKeys.create.mutate({ name: 'x', scopes: ['read'] })
  const createOverHttp = async () => {
    const body = jsonPost({ name: 'x', scopes: ['read'] })
    const response = await organization.fetch('/api/portal/api-keys', body)
    return Problem.parse(await response.json()).code
  }

  await setRole(organization.owner.id, 'member')
  await expect(create()).rejects.toMatchObject({ data: { refusal: 'INSUFFICIENT_ROLE' } })
  expect(await createOverHttp()).toBe('INSUFFICIENT_ROLE')

  await setRole(organization.owner.id, 'owner')
  await server.database.query('update organization set is_active = false where id = $1', [
    organization.id,
  ])
  await expect(create()).rejects.toMatchObject({ data: { refusal: 'ORGANIZATION_INACTIVE' } })
  expect(await createOverHttp()).toBe('ORGANIZATION_INACTIVE')
  expect(await apiKeys.list.query()).toEqual([])
})

test('an internal app manages the organization and its team by the rules of the endpoints', async () => {
  const one = await registerTestOrganization(server)
  const other = client((await registerTestOrganization(server)).accessToken)
  const { organization, team } = client(one.accessToken)
  const email = `${one.slug}@invited.example.com`

  const { id: userId } = await team.invite.mutate({ email, role: 'member' })
  expect(await team.list.query()).toMatchObject([{ role: 'owner' }, { id: userId, email }])
  await expect(other.team.remove.mutate({ userId })).rejects.toMatchObject({
    data: { code: 'NOT_FOUND', refusal: 'NOT_FOUND' },
  })
  expect(await team.changeRole.mutate({ userId, role: 'admin' })).toMatchObject({ role: 'admin' })
  expect(await team.remove.mutate({ userId })).toEqual({ id: userId, removed: true })
  await expect(
    team.invite.mutate({ email: one.owner.email, role: 'member' }),
  ).rejects.toMatchObject({ data: { code: 'CONFLICT', refusal: 'ALREADY_MEMBER' } })

  expect(await organization.change.mutate({ name: 'Renamed', slug: one.slug })).toMatchObject({
    name: 'Renamed',
  })
  await expect(
    organization.changeSettings.mutate({
      default_region: 'us-east-2',
      allowed_regions: ['ca-central-1'],
    }),
  ).rejects.toMatchObject({ data: { refusal: 'REGION_NOT_ALLOWED' } })
  expect(await organization.deactivate.mutate()).toMatchObject({ isActive: false })
  await expect(organization.deactivate.mutate()).rejects.toMatchObject({
    data: { refusal: 'ORGANIZATION_INACTIVE' },
  })
})

test('an internal app manages webhooks by the rules of the endpoints', async () => {
  const { webhooks } = client((await registerTestOrganization(server)).accessToken)
  const other = client((await registerTestOrganization(server)).accessToken)
  const wanted = { url: 'https://93.184.215.14/hook', events: ['normalization.success' as const] }

  const { id, secret } = await webhooks.create.mutate(wanted)
  expect(secret).toMatch(/^whsec_/)
  expect(await webhooks.list.query()).toMatchObject([{ id, ...wanted, active: true }])
  await expect(
    webhooks.create.mutate({ ...wanted, url: 'https://10.0.0.1/' }),
  ).rejects.toMatchObject({ data: { refusal: 'WEBHOOK_URL_FORBIDDEN' } })
  expect(await webhooks.change.mutate({ id, active: false })).toMatchObject({ active: false })
  expect(await webhooks.rotateSecret.mutate({ id })).toMatchObject({ id })

  const { eventId } = await webhooks.test.mutate({ id })
  expect(await webhooks.listDeliveries.query({ id })).toMatchObject({
    deliveries: [{ eventId, status: 'pending' }],
    total: 1,
  })
  expect(await webhooks.listDeadLetters.query({})).toEqual({ deadLetters: [], total: 0 })
  const unknown = { data: { code: 'NOT_FOUND', refusal: 'NOT_FOUND' } }
  await expect(webhooks.replayDeadLetter.mutate({ eventId })).rejects.toMatchObject(unknown)
  await expect(other.webhooks.test.mutate({ id })).rejects.toMatchObject(unknown)
  await expect(other.webhooks.listDeliveries.query({ id })).rejects.toMatchObject(unknown)

  const before = await webhooks.defaultSecret.query()
  const after = await webhooks.rotateDefaultSecret.mutate()
  expect(after.secret).not.toBe(before.secret)
  expect(await webhooks.defaultSecret.query()).toEqual({ secret: after.secret })
  expect(await webhooks.delete.mutate({ id })).toEqual({ id, deleted: true })
})

test('an internal app reads dead letters in pages of the size that it wants', async () => {
  const { accessToken, id: organizationId } = await registerTestOrganization(server)
  const { webhooks } = client(accessToken)
  const url = 'https://93.184.215.14/hook'
  const { id } = await webhooks.create.mutate({ url, events: ['normalization.success'] })
  const [first, second] = [await webhooks.test.mutate({ id }), await webhooks.test.mutate({ id })]
  const attempt = { at: new Date().toISOString(), statusCode: 500, error: 'No.', durationMs: 1 }
  await server.database.query(
    `update webhook_event set status = 'dead', ended_at = created_at, next_attempt_at = null, attempts = $2
     where organization_id = $1`,
    [organizationId, JSON.stringify([attempt])],
  )

  const pageOf = (page: number) => webhooks.listDeadLetters.query({ page, page_size: 1 })
  expect(await pageOf(1)).toMatchObject({ deadLetters: [{ eventId: second.eventId }], total: 2 })
  expect(await pageOf(2)).toMatchObject({ deadLetters: [{ eventId: first.eventId }], total: 2 })
  expect(await pageOf(3)).toEqual({ deadLetters: [], total: 2 })
})

test('an internal app reads the batches that programs of its organization fill', async () => {
  const organization = await registerTestOrganization(server)
  const { fullKey } = await organization.createKey()
  const response = await server.fetch('/api/batches', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Api-Key': fullKey },
    body: JSON.stringify({ name: 'seen in the portal' }),
  })
  const batch = Batch.parse(await response.json())
  const { batchId } = batch

  const { batches } = client(organization.accessToken)
  expect(await batches.get.query({ batchId })).toEqual(batch)
  expect(await batches.list.query({ status: 'open' })).toEqual({ batches: [batch], total: 1 })
  expect(await batches.list.query({ page: 2 })).toEqual({ batches: [], total: 1 })
  expect(await batches.submissions.query({ batchId })).toEqual({ submissions: [], total: 0 })

  const other = client((await registerTestOrganization(server)).accessToken)
  for (const call of [other.batches.get, other.batches.submissions]) {
    await expect(call.query({ batchId })).rejects.toMatchObject({ data: { refusal: 'NOT_FOUND' } })
  }
})

test('the internal apps have these procedures', () => {
  expect(Object.keys(portalRpc._def.procedures).toSorted()).toEqual([
    'apiKeys.create',
    'apiKeys.list',
    'apiKeys.revoke',
    'apiKeys.rotate',
    'batches.get',
    'batches.list',
    'batches.submissions',
    'billing.charges',
    'billing.createCheckoutSession',
    'billing.createPortalSession',
    'billing.info',
    'dataProtection.cancelDeletion',
    'dataProtection.deletion',
    'dataProtection.erase',
    'dataProtection.export',
    'dataProtection.exportUrl',
    'dataProtection.latest',
    'dataProtection.requestDeletion',
    'dataProtection.requestExport',
    'organization.change',
    'organization.changeSettings',
    'organization.deactivate',
    'organization.get',
    'statistics.get',
    'statistics.history',
    'submissions.certificate',
    'submissions.get',
    'submissions.list',
    'submissions.report',
    'submissions.stage',
    'team.changeRole',
    'team.invite',
    'team.list',
    'team.remove',
    'webhooks.change',
    'webhooks.create',
    'webhooks.defaultSecret',
    'webhooks.delete',
    'webhooks.list',
    'webhooks.listDeadLetters',
    'webhooks.listDeliveries',
    'webhooks.replayDeadLetter',
    'webhooks.rotateDefaultSecret',
    'webhooks.rotateSecret',
    'webhooks.test',
  ])
})

async function setRole(memberId: string, role: string): Promise<void> {
  await server.database.query('update member set role = $2 where id = $1', [memberId, role])
}

function client(accessToken: string | null) {
  const headers = accessToken === null ? {} : { Authorization: `Bearer ${accessToken}` }
  return createTRPCClient<PortalRpc>({
    links: [httpBatchLink({ url: `${server.url}/rpc`, headers })],
  })
}
