import { BillingInfo } from '@pdfnorm/contracts/schema/billing'
import { plans } from '@pdfnorm/contracts/schema/plan'
import { createTRPCClient, httpBatchLink } from '@trpc/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PortalRpc } from '../src/rpc/portal-rpc.ts'
import { quotaCycle } from '../src/plan/quota.ts'
import type { TestOrganization } from './organization.ts'
import { pdf } from './pdf.ts'
import { startTestServer, type TestServer } from './server.ts'
import { normalized, problem, registerSubmitter } from './submitter.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

async function infoOf(organization: TestOrganization): Promise<BillingInfo> {
  const response = await organization.fetch('/api/billing/info')
  expect(response.status).toBe(200)
  return BillingInfo.parse(await response.json())
}

/** What the processor's answer makes of an organization, for a cycle that began in the past. */
async function subscribe({ id }: TestOrganization, from: Date, until: Date): Promise<void> {
  await server.database.query(
    `update organization set plan_tier = 'starter', quota_counts_from = $2 where id = $1`,
    [id, from],
  )
  await server.database.query(
    `insert into subscription values ($1, $2, 'sub_1', 'past_due', 'year', $3, true)`,
    [id, `cus_${id}`, until],
  )
}

async function use({ id }: TestOrganization, startsAt: string | Date, documents: number) {
  await server.database.query(
    `insert into document_usage (organization_id, cycle_starts_at, documents) values ($1, $2, $3)`,
    [id, startsAt, documents],
  )
}

test('the free plan counts months from the registration and has no customer', async () => {
  const submitter = await registerSubmitter(server)
  const { organization } = submitter
  await normalized(submitter.submit(pdf({ text: 'one' })))
  const [row] = await server.database.query<{ created_at: Date }>(
    'select created_at from organization where id = $1',
    [organization.id],
  )
  const registeredAt = row?.created_at ?? new Date(0)

  expect(await infoOf(organization)).toEqual({
    planTier: 'free',
    monthlyDocLimit: 100,
    currentMonthUsage: 1,
    remainingQuota: 99,
    usagePercent: 1,
    paymentCustomerId: null,
    paymentSubscriptionId: null,
    billingInterval: 'month',
    subscriptionStatus: 'active',
    currentPeriodEnd: quotaCycle(registeredAt, registeredAt).endsAt.toISOString(),
    cancelAtPeriodEnd: false,
    overageRatePerDoc: 0,
  })
})

test('a paid plan shows its subscription, and its use beyond the quota', async () => {
  const submitter = await registerSubmitter(server)
  const { organization } = submitter
  const other = await registerSubmitter(server)
  const now = server.clock.now()
  const from = new Date(now.getTime() - 86_400_000)
  const until = new Date(now.getTime() + 300 * 86_400_000)
  await subscribe(organization, from, until)
  await use(organization, from, plans.starter.monthlyDocuments + 99)
  await normalized(submitter.submit(pdf({ text: 'beyond' })))

  expect(await infoOf(organization)).toEqual({
    planTier: 'starter',
    monthlyDocLimit: 10_000,
    currentMonthUsage: 10_100,
    remainingQuota: 0,
    usagePercent: 101,
    paymentCustomerId: `cus_${organization.id}`,
    paymentSubscriptionId: 'sub_1',
    billingInterval: 'year',
    subscriptionStatus: 'past_due',
    currentPeriodEnd: until.toISOString(),
    cancelAtPeriodEnd: true,
    overageRatePerDoc: 0.01,
  })
  expect(await infoOf(other.organization)).toMatchObject({ planTier: 'free', currentMonthUsage: 0 })
})

test('who buys a plan in the middle of a free month starts with the whole quota of the plan', async () => {
  const submitter = await registerSubmitter(server)
  const { organization } = submitter
  const [row] = await server.database.query<{ created_at: Date }>(
    'select created_at from organization where id = $1',
    [organization.id],
  )
  await use(organization, row?.created_at ?? '', plans.free.monthlyDocuments)
  await problem(submitter.submit(pdf({ text: 'x' })), 402, 'QUOTA_EXCEEDED')

  const now = server.clock.now()
  await subscribe(organization, now, new Date(now.getTime() + 365 * 86_400_000))
  expect(await infoOf(organization)).toMatchObject({ currentMonthUsage: 0, remainingQuota: 10_000 })
  await normalized(submitter.submit(pdf({ text: 'x' })))
  expect(await infoOf(organization)).toMatchObject({ currentMonthUsage: 1 })

  const statistics = await organization.fetch('/api/portal/stats')
  expect(await statistics.json()).toMatchObject({ usedThisMonth: 1, planLimit: 10_000 })
})

test('a plan that is paid by the year has a quota for each month of it', async () => {
  const { organization } = await registerSubmitter(server)
  const from = new Date(server.clock.now().getTime() - 40 * 86_400_000)
  await subscribe(organization, from, new Date(from.getTime() + 365 * 86_400_000))
  await use(organization, from, 7)
  await use(organization, quotaCycle(from, server.clock.now()).startsAt, 3)

  expect(await infoOf(organization)).toMatchObject({ currentMonthUsage: 3 })
})

test('the procedure answers what the endpoint does, and beside it what the month is charged', async () => {
  const { organization } = await registerSubmitter(server)
  const client = createTRPCClient<PortalRpc>({
    links: [
      httpBatchLink({
        url: `${server.url}/rpc`,
        headers: { Authorization: `Bearer ${organization.accessToken}` },
      }),
    ],
  })
  expect(await client.billing.info.query()).toEqual(await infoOf(organization))
  expect(await client.billing.charges.query()).toEqual({
    planTier: 'free',
    overage: null,
    hasCustomer: false,
  })

  // Used under a larger plan before it was changed to this one: that one's documents and its price hold.
  const from = new Date(server.clock.now().getTime() - 86_400_000)
  await subscribe(organization, from, new Date(from.getTime() + 365 * 86_400_000))
  await use(organization, from, plans.growth.monthlyDocuments + 500)
  await server.database.query(
    `update document_usage set plan_tier = 'growth' where organization_id = $1`,
    [organization.id],
  )
  expect(await infoOf(organization)).toMatchObject({ planTier: 'starter', overageRatePerDoc: 0.01 })
  expect(await client.billing.charges.query()).toEqual({
    planTier: 'growth',
    overage: { documents: 500, perDocumentUsd: 0.005, totalUsd: 2.5 },
    hasCustomer: true,
  })
})
