import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWebhook, deliverAll, sendTest } from '../../api/test/deliveries.ts'
import { joinTestOrganization } from '../../api/test/member.ts'
import { goodPassword, registerTestOrganization } from '../../api/test/organization.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../../api/test/webhook-receiver.ts'
import { chromiumPath, howToInstall } from './browser.ts'
import { expectAccessible, openExaminedPage } from './examined-page.ts'
import { type OpenPortal, openPortal } from './portal.ts'
import { signInAs } from './sign-in.ts'

describe.skipIf(chromiumPath === null)(`webhooks in the portal (${howToInstall})`, () => {
  let portal: OpenPortal
  let receiver: WebhookReceiver
  beforeAll(async () => {
    receiver = await startWebhookReceiver()
    portal = await openPortal({
      environment: { WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_RETRY_SCHEDULE: '1h,1h,1h,1h,1h' },
    })
  })
  afterAll(async () => {
    await portal?.[Symbol.asyncDispose]()
    await receiver?.[Symbol.asyncDispose]()
  })

  test('an admin creates a webhook, tries it out, rotates its secret, turns it off, moves and deletes it', async () => {
    const organization = await registerTestOrganization(portal.server)
    await using context = await portal.visitor()
    const { page, faults } = await openExaminedPage(context, [/status of 400/])
    await page.goto('/webhooks')
    await signInAs(page, organization.owner)
    await page.getByText('No webhook yet').waitFor()
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Create a webhook', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Address' }).fill('example.com/hook')
    for (const event of ['success', 'failure', 'rejected']) {
      await dialog.getByLabel(`normalization.${event}`).uncheck()
    }
    await dialog.getByRole('button', { name: 'Create the webhook' }).click()
    await dialog.getByText('Give a whole address').waitFor()
    await dialog.getByText('Choose at least one event').waitFor()
    // What the server refuses stands at its field.
    await dialog.getByRole('textbox', { name: 'Address' }).fill('http://user:password@example.com/')
    await dialog.getByLabel('normalization.success').check()
    await dialog.getByRole('button', { name: 'Create the webhook' }).click()
    await dialog.locator('input[type=url][aria-invalid=true]').waitFor()
    await expectAccessible(page)
    await dialog.getByRole('textbox', { name: 'Address' }).fill(receiver.url('/hook'))
    await dialog.getByRole('button', { name: 'Create the webhook' }).click()
    const secret = await dialog.getByText(/^whsec_/).innerText()
    await expectAccessible(page)
    await dialog.getByRole('link', { name: 'To the webhook' }).click()

    await page.getByText('Nothing was sent yet').waitFor()
    await page.getByRole('button', { name: 'Send a test event', exact: true }).click()
    await page.getByRole('button', { name: /^Delivered webhook\.test 204/ }).click()
    await page.getByRole('list', { name: 'Attempts' }).getByText('204').waitFor()
    for (const call of ['Send a test event', 'List its deliveries']) {
      await page.getByRole('button', { name: `${call} from a program` }).click()
      await page.getByRole('region', { name: `${call} in curl` }).waitFor()
    }
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Rotate the secret', exact: true }).click()
    await dialog.getByRole('button', { name: 'Rotate the secret' }).click()
    expect(await dialog.getByText(/^whsec_/).innerText()).not.toBe(secret)
    await dialog.getByRole('button', { name: 'I have copied it' }).click()
    await page.getByRole('button', { name: 'Turn off' }).click()
    await dialog.getByRole('button', { name: 'Turn off' }).click()
    await page.getByText('Off', { exact: true }).waitFor()

    await page.getByRole('button', { name: 'Send a test event', exact: true }).click()
    const signed = (await receiver.got(2, '/hook')).at(-1)
    expect(String(signed?.headers['webhook-signature']).split(' ')).toHaveLength(2)
    await page.getByRole('button', { name: 'Edit' }).click()
    await dialog.getByRole('textbox', { name: 'Address' }).fill(receiver.url('/moved'))
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText(receiver.url('/moved')).waitFor()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await dialog.getByRole('button', { name: 'Delete the webhook' }).click()
    await page.getByText('No webhook yet').waitFor()

    const kept = await context.storageState()
    expect(JSON.stringify(kept.origins)).not.toContain('whsec_')
    expect(faults).toEqual([])
  })

  test('an admin finds what could not be delivered among the dead letters, and replays it', async () => {
    const organization = await registerTestOrganization(portal.server)
    const { id } = await createWebhook(organization, receiver.url('/down'))
    receiver.answer((path) => (path === '/down' ? 503 : 204))
    const eventId = await sendTest(organization, id)
    await deliverAll(portal.server)
    await using context = await portal.visitor()
    const { page, faults } = await openExaminedPage(context)
    await page.goto('/webhooks')
    await signInAs(page, organization.owner)
    await page.getByRole('link', { name: 'Dead letters (1)' }).click()
    await page.getByRole('button', { name: /^webhook\.test/ }).click()
    await page.getByText(eventId).waitFor()
    expect(
      await page.getByRole('list', { name: 'Attempts' }).getByText('503', { exact: true }).count(),
    ).toBe(6)
    await page.getByText('"message": "This is a test').waitFor()
    await expectAccessible(page)

    receiver.answer(() => 204)
    await page.getByRole('button', { name: 'Replay the event', exact: true }).click()
    await page.getByText('No dead letters').waitFor()
    await page.goto(`/webhooks/${id}`)
    await page.getByRole('button', { name: /^Delivered webhook\.test 204.* 7 attempts/ }).waitFor()
    expect(faults).toEqual([])
  })

  test('a member sees the webhooks and is offered nothing that only admins do', async () => {
    const organization = await registerTestOrganization(portal.server)
    await createWebhook(organization, receiver.url('/m'))
    const { email } = await joinTestOrganization(portal.server, organization, 'member')
    await using context = await portal.visitor()
    const { page, faults } = await openExaminedPage(context)
    await page.goto('/webhooks')
    await signInAs(page, { email, password: goodPassword })
    await page.getByRole('link', { name: receiver.url('/m') }).waitFor()
    const offered = page.getByRole('main').getByRole('button', { name: /create|secret|dead/i })
    expect(await offered.count()).toBe(0)
    await page.getByRole('link', { name: receiver.url('/m') }).click()
    await page.getByText('An admin or the owner sees what was delivered').waitFor()
    await expectAccessible(page)
    const deeds = page
      .getByRole('main')
      .getByRole('button', { name: /edit|turn|rotate|delete|test/i })
    expect(await deeds.count()).toBe(0)
    expect(faults).toEqual([])
  })
})
