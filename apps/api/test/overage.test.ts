import { plans } from '@pdfnorm/contracts/schema/plan'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { billOverage } from '../src/billing/bill-overage.ts'
import { pdf } from './pdf.ts'
import { startTestServer, type TestServer } from './server.ts'
import { startStripeServer, type StripeServer } from './stripe-server.ts'
import { registerSubmitter, type Submitter } from './submitter.ts'

let stripe: StripeServer
let server: TestServer
beforeAll(async () => {
  stripe = await startStripeServer()
  server = await startTestServer({ payments: stripe.payments })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await stripe[Symbol.asyncDispose]()
})

const startsAt = new Date(Math.floor(Date.now() / 1000) * 1000 - 86_400_000)

/** A customer of Stripe on a paid plan that has used so many documents of its month. */
async function subscriberWithUsed(documents: number, plan = 'starter'): Promise<Submitter> {
  const submitter = await registerSubmitter(server)
  const { id } = submitter.organization
  await server.database.query(
    'update organization set plan_tier = $2, quota_counts_from = $3 where id = $1',
    [id, plan, startsAt],
  )
  stripe.addCustomer(`cus_${id}`)
  await server.database.query(
    `insert into subscription values ($1, $2, 'sub_1', 'active', 'month', now(), false)`,
    [id, `cus_${id}`],
  )
  await server.database.query(
    `insert into document_usage (organization_id, cycle_starts_at, documents) values ($1, $2, $3)`,
    [id, startsAt, documents],
  )
  return submitter
}

interface OverageJob {
  data: { organizationId: string; cycleStartsAt: string }
  rests: boolean
}

async function jobsOf({ organization }: Submitter): Promise<OverageJob[]> {
  return server.database.query<OverageJob>(
    `select data, start_after > now() + interval '27 days' as rests from pgboss.job
     where name = 'bill-overage' and data->>'organizationId' = $1`,
    [organization.id],
  )
}

const chargesOf = ({ organization }: Submitter) =>
  (stripe.made.get('v1/invoiceitems') ?? []).filter(
    (item) => item['customer'] === `cus_${organization.id}`,
  )

test('the hundred documents beyond a quota that come at once are charged once, after the month', async () => {
  const submitter = await subscriberWithUsed(plans.starter.monthlyDocuments)
  const document = pdf({ text: 'beyond' })
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => submitter.submit(document, {}, { Prefer: 'respond-async' })),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))

  const [job, ...others] = await jobsOf(submitter)
  expect([job?.rests, others]).toEqual([true, []])
  if (job === undefined) throw new Error('No job was sent')
  expect(job.data.cycleStartsAt).toBe(startsAt.toISOString())

  stripe.isAway = true
  await expect(billOverage(server.platform, job.data)).rejects.toThrow('away')
  stripe.isAway = false
  await Promise.all(Array.from({ length: 4 }, () => billOverage(server.platform, job.data)))
  const [charge, ...more] = chargesOf(submitter)
  expect(more).toEqual([])
  // 100 documents of 0.01 dollars each.
  expect(charge).toMatchObject({ amount: '100', currency: 'usd' })
  const invoice = stripe.made.get('v1/invoices')?.find(({ id }) => id === charge?.['invoice'])
  expect(invoice).toMatchObject({ customer: charge?.['customer'], auto_advance: 'true' })
})

test('a charge that was taken and not written down is not taken again', async () => {
  const submitter = await subscriberWithUsed(plans.pro.monthlyDocuments + 999, 'pro')
  await submitter.submit(pdf({ text: 'beyond' }))
  const [job] = await jobsOf(submitter)
  if (job === undefined) throw new Error('No job was sent')
  await billOverage(server.platform, job.data)
  await server.database.query('update document_usage set overage_billed_at = null')
  await billOverage(server.platform, job.data)
  expect(chargesOf(submitter)).toMatchObject([{ amount: '300' }])
})

test('the largest plan of a month says what is beyond it', async () => {
  const submitter = await subscriberWithUsed(plans.starter.monthlyDocuments + 5, 'growth')
  const setPlan = (plan: string) =>
    server.database.query('update organization set plan_tier = $2 where id = $1', [
      submitter.organization.id,
      plan,
    ])
  await submitter.submit(pdf({ text: 'within' }))
  await setPlan('starter')
  await submitter.submit(pdf({ text: 'within' }))
  expect(await jobsOf(submitter)).toEqual([])
})

test('within the quota nothing is ordered, and nothing of another organization is charged', async () => {
  const submitter = await subscriberWithUsed(plans.starter.monthlyDocuments - 1)
  await submitter.submit(pdf({ text: 'the last' }))
  expect(await jobsOf(submitter)).toEqual([])
  await billOverage(server.platform, {
    organizationId: submitter.organization.id,
    cycleStartsAt: startsAt.toISOString(),
  })
  expect(chargesOf(submitter)).toEqual([])
})

test('is collected by the means of payment that the checkout left with the newest subscription', async () => {
  const submitter = await subscriberWithUsed(plans.starter.monthlyDocuments + 4)
  const { id: organizationId } = submitter.organization
  await submitter.submit(pdf({ text: 'beyond' }))
  const customer = `cus_${organizationId}`
  for (const [id, method] of [
    ['sub_newest', null],
    ['sub_newer', { id: 'pm_expanded' }],
    ['sub_old', 'pm_old'],
  ] as const) {
    stripe.subscriptions.set(id, {
      id,
      customer,
      status: 'canceled',
      default_payment_method: method,
      items: { data: [] },
    })
  }
  await billOverage(server.platform, { organizationId, cycleStartsAt: startsAt.toISOString() })
  const [charge] = chargesOf(submitter)
  const invoice = stripe.made.get('v1/invoices')?.find(({ id }) => id === charge?.['invoice'])
  expect(invoice).toMatchObject({ auto_advance: 'true', default_payment_method: 'pm_expanded' })
})

test('of a customer that was deleted by hand is charged to nobody, and not tried for ever', async () => {
  const submitter = await subscriberWithUsed(plans.starter.monthlyDocuments + 4)
  const { id: organizationId } = submitter.organization
  await submitter.submit(pdf({ text: 'beyond' }))
  stripe.deleteCustomer(`cus_${organizationId}`)
  await billOverage(server.platform, { organizationId, cycleStartsAt: startsAt.toISOString() })
  expect(chargesOf(submitter)).toEqual([])
})
