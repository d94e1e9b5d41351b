import { expect, test } from 'vitest'
import { cancelSubscription } from '../src/billing/cancel-subscription.ts'
import { registerTestOrganization } from './organization.ts'
import { infoOf, checkout, eventOf, deactivate, usePayments } from './paying.ts'
import { problem } from './submitter.ts'

const payments = usePayments()
const { customerOf, customer, subscription, received, pagesOf, statusOf } = payments

test('a customer that was deleted in the dashboard is replaced, and what it paid for has ended', async () => {
  const { organization, customer: former } = await customer()
  subscription(former)
  await received(eventOf(former))
  payments.stripe.deleteCustomer(former)

  const answers = await Promise.all([checkout(organization), checkout(organization)])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const id = await customerOf(organization)
  expect(id).not.toBe(former)
  expect(pagesOf(id).filter(({ status }) => status === 'open')).toHaveLength(1)
  expect(await infoOf(organization)).toMatchObject({ planTier: 'free', paymentCustomerId: null })

  subscription(id, {}, 'growth')
  await received(eventOf(id))
  await received(eventOf(former, 'customer.subscription.deleted'))
  expect(await infoOf(organization)).toMatchObject({ planTier: 'growth', paymentCustomerId: id })

  payments.stripe.deleteCustomer(id)
  const deleted = { type: 'customer.deleted', data: { object: { object: 'customer', id } } }
  await received(JSON.stringify(deleted))
  expect(await infoOf(organization)).toMatchObject({ planTier: 'free' })
})

test('a deactivated organization goes on paying for nothing, and for nothing of anybody else', async () => {
  const { organization, customer: id } = await customer()
  const other = await customer()
  subscription(other.customer)
  subscription(id, { status: 'past_due' })
  subscription(id, { id: `sub_unpaid_${id}`, status: 'incomplete' })
  subscription(id, { id: `sub_else_${id}` }, 'something else')
  await received(eventOf(id))
  // Opened by hand: the service opens none for who has a subscription.
  payments.stripe.made
    .get('v1/checkout/sessions')
    ?.push({ id: `cs_${id}`, customer: id, status: 'open' })

  expect((await deactivate(organization)).status).toBe(200)
  await expect.poll(() => statusOf(id)).toBe('canceled')
  await expect
    .poll(() => payments.stripe.subscriptions.get(`sub_unpaid_${id}`)?.['status'])
    .toBe('canceled')
  await expect.poll(() => pagesOf(id).map(({ status }) => status)).toEqual(['expired', 'expired'])
  expect(payments.stripe.subscriptions.get(`sub_else_${id}`)?.['status']).toBe('active')
  await received(eventOf(id, 'customer.subscription.deleted'))
  expect(await infoOf(organization)).toMatchObject({ planTier: 'free' })
  expect(statusOf(other.customer)).toBe('active')
  expect(pagesOf(other.customer)).toMatchObject([{ status: 'open' }])
})

test('while Stripe is away a deactivation succeeds, and its cancellation is tried again', async () => {
  const { organization, customer: id } = await customer()
  subscription(id)
  payments.stripe.isAway = true
  expect((await deactivate(organization)).status).toBe(200)
  const waiting = () =>
    payments.server.database.query(
      `select state from pgboss.job where name = 'cancel-subscription' and data->>'organizationId' = $1`,
      [organization.id],
    )
  await expect.poll(waiting, { interval: 20, timeout: 20_000 }).toEqual([{ state: 'retry' }])
  payments.stripe.isAway = false

  expect(statusOf(id)).toBe('active')
  await cancelSubscription(payments.server.platform, organization)
  expect(statusOf(id)).toBe('canceled')
  await cancelSubscription(payments.server.platform, organization)
  payments.stripe.deleteCustomer(id)
  await cancelSubscription(payments.server.platform, organization)
})

test('what never asked for a checkout page has nothing to cancel', async () => {
  const organization = await registerTestOrganization(payments.server)
  const { platform } = payments.server
  await expect(cancelSubscription(platform, organization)).resolves.toBeUndefined()
  const unpaid = { ...platform, payments: null }
  await expect(cancelSubscription(unpaid, organization)).resolves.toBeUndefined()
})

test('a page that opens while the organization is deactivated is closed again', async () => {
  const { organization, customer: id } = await customer()
  const slow = payments.stripe.holdNext()
  const opening = checkout(organization)
  await slow.arrived
  expect((await deactivate(organization)).status).toBe(200)
  slow.release()
  await problem(opening, 403, 'ORGANIZATION_INACTIVE')
  expect(new Set(pagesOf(id).map(({ status }) => status))).toEqual(new Set(['expired']))
})

test('what is paid for although the organization is deactivated is cancelled', async () => {
  const { organization, customer: id } = await customer()
  await deactivate(organization)
  subscription(id)
  await received(eventOf(id))
  await expect.poll(() => statusOf(id), { interval: 20, timeout: 20_000 }).toBe('canceled')
})

test('a former page that is paid while a new one opens leaves that one closed', async () => {
  const { organization, customer: id } = await customer()
  const slow = payments.stripe.holdNext()
  const opening = checkout(organization)
  await slow.arrived
  Object.assign(pagesOf(id)[0] ?? {}, { status: 'complete' })
  slow.release()
  subscription(id)
  await problem(opening, 400, 'SUBSCRIPTION_EXISTS')
  expect(pagesOf(id).filter(({ status }) => status === 'open')).toEqual([])
})
