import { PortalSession } from '@pdfnorm/contracts/schema/billing'
import { expect, test } from 'vitest'
import { joinTestOrganization } from './member.ts'
import { registerTestOrganization } from './organization.ts'
import { order, deactivate, portal, usePayments } from './paying.ts'
import { problem } from './submitter.ts'

const payments = usePayments()
const { customer } = payments

test('a customer changes and cancels on a page of Stripe, between the plans that are sold', async () => {
  const { organization, customer: id } = await customer()
  const opened = [await portal(organization), await portal(organization)]
  const sessions = payments.stripe.made.get('v1/billing_portal/sessions') ?? []
  const urls = await Promise.all(
    opened.map(async (answer) => PortalSession.parse(await answer.json()).url),
  )
  expect(urls).toEqual(sessions.map(({ url }) => url))

  const [configuration, ...others] =
    payments.stripe.made.get('v1/billing_portal/configurations') ?? []
  expect(others).toEqual([])
  expect(sessions).toMatchObject([
    { customer: id, return_url: order.cancelUrl, configuration: configuration?.id },
    { customer: id, return_url: order.cancelUrl, configuration: configuration?.id },
  ])
  expect(configuration).toMatchObject({
    'features[subscription_cancel][enabled]': 'true',
    'features[subscription_cancel][mode]': 'at_period_end',
    'features[subscription_update][default_allowed_updates][0]': 'price',
  })
  const offered = Object.entries(configuration ?? {})
    .filter(([name]) => /products.*prices/.test(name))
    .map(([, price]) => payments.stripe.made.get('v1/prices')?.find((one) => one.id === price))
  expect(offered.map((price) => price?.['lookup_key'])).toEqual([
    'pdfnorm_starter_month',
    'pdfnorm_starter_year',
    'pdfnorm_growth_month',
    'pdfnorm_growth_year',
    'pdfnorm_pro_month',
    'pdfnorm_pro_year',
  ])
})

test('the page of a subscription is for the owner of an active organization that is a customer', async () => {
  await problem(portal(await registerTestOrganization(payments.server)), 404, 'NOT_FOUND')
  const { organization, customer: id } = await customer()
  const admin = await joinTestOrganization(payments.server, organization, 'admin')
  await problem(portal(admin), 403, 'INSUFFICIENT_ROLE')
  for (const url of ['javascript:alert(1)', '/plans', 7, null]) {
    await problem(portal(organization, url), 400, 'VALIDATION_ERROR')
  }
  payments.stripe.isAway = true
  await problem(portal(organization), 503, 'UNAVAILABLE')
  payments.stripe.isAway = false
  payments.stripe.deleteCustomer(id)
  await problem(portal(organization), 404, 'NOT_FOUND')
  expect((await deactivate(organization)).status).toBe(200)
  await problem(portal(organization), 403, 'ORGANIZATION_INACTIVE')
})
