import { plans } from '@pdfnorm/contracts/schema/plan'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { joinTestOrganization } from '../../api/test/member.ts'
import { goodPassword, registerTestOrganization } from '../../api/test/organization.ts'
import { chromiumPath, howToInstall } from './browser.ts'
import { expectAccessible, openExaminedPage } from './examined-page.ts'
import { type OpenPortal, openPortal } from './portal.ts'
import { signInAs } from './sign-in.ts'

describe.skipIf(chromiumPath === null)(`billing in the portal (${howToInstall})`, () => {
  let portal: OpenPortal
  beforeAll(async () => {
    portal = await openPortal()
  })
  afterAll(() => portal?.[Symbol.asyncDispose]())

  test('the owner buys a plan at the checkout, changes it, misses a payment and cancels', async () => {
    const { id, owner } = await registerTestOrganization(portal.server)
    await using context = await portal.visitor()
    const { page, faults } = await openExaminedPage(context)
    const plan = page.getByRole('region', { name: 'Plan', exact: true })
    await page.goto('/billing')
    await signInAs(page, owner)
    await plan.getByText('free').waitFor()
    expect(await page.getByRole('button', { name: /invoices/i }).count()).toBe(0)
    await expectAccessible(page)

    await page.getByText('Yearly').click()
    await page.getByText('$990', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Choose starter' }).click()
    await page.getByRole('heading', { name: 'Test checkout' }).waitFor()
    await page.getByRole('link', { name: 'Leave' }).click()
    await page.getByText('Nothing was bought').waitFor()

    await page.getByRole('button', { name: 'Choose starter' }).click()
    await page.getByRole('button', { name: 'Pay (test)' }).click()
    await page.getByText('The organization is on starter').waitFor()
    await plan.getByText(/renews on/).waitFor()
    const used = plans.starter.monthlyDocuments + 1234
    await portal.server.database.query(
      `insert into document_usage (organization_id, cycle_starts_at, documents, submissions, success, failed, rejected, success_processing_ms, plan_tier)
       select id, quota_counts_from, $2, $2, $2, 0, 0, 0, plan_tier from organization where id = $1`,
      [id, used],
    )

    await page.getByRole('button', { name: 'Change to growth' }).click()
    await page.getByRole('button', { name: 'Let a payment fail' }).click()
    await page.getByRole('button', { name: 'Cancel at the end' }).click()
    await page.getByRole('link', { name: 'Leave' }).click()
    await page.getByText('A payment failed').waitFor()
    await page.getByText('The plan ends on').waitFor()
    await page.getByText('1,234 beyond the plan at $0.01 each: $12.34 so far').waitFor()
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Change, cancel, invoices' }).click()
    await page.getByRole('button', { name: 'End it at once' }).click()
    await page.getByRole('link', { name: 'Leave' }).click()
    await plan.getByText('Nothing is paid.').waitFor()
    await plan.getByText('free').waitFor()
    await plan.getByRole('button', { name: 'Invoices of former plans' }).waitFor()
    expect(faults).toEqual([])
  })

  test('a member sees plan and usage and whom to ask, also on a small screen in the dark', async () => {
    const organization = await registerTestOrganization(portal.server)
    const { email } = await joinTestOrganization(portal.server, organization, 'admin')
    await using context = await portal.visitor({
      colorScheme: 'dark',
      viewport: { width: 390, height: 800 },
    })
    const { page, faults } = await openExaminedPage(context)
    await page.goto('/billing')
    await signInAs(page, { email, password: goodPassword })
    await page
      .getByText(`Only the owner changes the plan. Ask ${organization.owner.email}`)
      .waitFor()
    expect(await page.getByRole('button', { name: /Choose|Invoices/ }).count()).toBe(0)
    await expectAccessible(page)
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBeLessThanOrEqual(390)
    expect(faults).toEqual([])
  })
})
