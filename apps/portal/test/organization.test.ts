import { OrganizationResponse } from '@pdfnorm/contracts/schema/organization'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tokenMailedTo } from '../../api/test/mailbox.ts'
import { jsonPost, postJson, registerTestOrganization } from '../../api/test/organization.ts'
import { chromiumPath, howToInstall } from './browser.ts'
import { expectAccessible, openExaminedPage } from './examined-page.ts'
import { type OpenPortal, openPortal } from './portal.ts'
import { signInAs } from './sign-in.ts'

const password = 'a passphrase of a colleague'

describe.skipIf(chromiumPath === null)(`team and settings in the portal (${howToInstall})`, () => {
  let portal: OpenPortal
  beforeAll(async () => {
    portal = await openPortal()
  })
  afterAll(() => portal?.[Symbol.asyncDispose]())

  test('an owner invites, withdraws, gives the ownership away and leaves', async () => {
    const organization = await registerTestOrganization(portal.server)
    const grace = `grace-${organization.slug}@example.com`
    await using context = await portal.visitor()
    // An address that is refused, a role that does not suffice any more, and the session that ends with the membership.
    const { page, faults } = await openExaminedPage(context, [/status of (409|401|403)/])
    await page.goto('/team')
    await signInAs(page, organization.owner)
    await page.getByRole('heading', { name: 'Invite the first colleague' }).waitFor()
    await expectAccessible(page)

    await page.getByLabel('E-mail address').fill(organization.owner.email)
    await page.getByRole('button', { name: 'Send the invitation' }).click()
    await page.getByText('The organization has a member with this address.').waitFor()
    await page.getByLabel('E-mail address').fill('hopper@example.com')
    await page.getByRole('button', { name: 'Send the invitation' }).click()
    const invitations = page.getByRole('list', { name: 'Open invitations' })
    await invitations.getByText('hopper@example.com').waitFor()
    await page.getByLabel('E-mail address').fill(grace)
    await page.getByLabel('Role', { exact: true }).selectOption('admin')
    await page.getByRole('button', { name: 'Send the invitation' }).click()
    await invitations.getByText(grace).waitFor()
    await page
      .getByRole('button', { name: 'Withdraw the invitation of hopper@example.com' })
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('The link in the mail ends at once.').waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Withdraw the invitation' }).click()
    await invitations.getByText('hopper@example.com').waitFor({ state: 'detached' })
    // What had the focus is gone: the keyboard goes on at the list.
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await expect.poll(focused).toMatch(/^Open invitations/)

    const token = await tokenMailedTo(portal.server, grace)
    await postJson(portal.server, '/api/auth/accept-invite', { token, password })
    await page.reload()
    const members = page.getByRole('list', { name: 'Members' })
    await members.getByText(grace).waitFor()
    // The owner is nobody's to remove, and cannot leave.
    expect(await page.getByRole('button', { name: /^Remove|^Leave/ }).count()).toBe(1)
    await page.getByRole('button', { name: `Change role of ${grace}` }).click()
    await dialog.getByRole('radio', { name: 'owner' }).check()
    await dialog.getByText('You become an admin.').waitFor()
    await dialog.getByRole('button', { name: 'Give the ownership away' }).click()
    await page.getByRole('region', { name: 'Account' }).getByText('admin').waitFor()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.getByRole('button', { name: `Change role of ${grace}` }).count()).toBe(0)

    // Somebody else makes a member of the admin, which shows as soon as the page learns of it.
    const setRole = async (role: string) =>
      portal.server.database.query('update member set role = $2 where email = $1', [
        organization.owner.email,
        role,
      ])
    await setRole('member')
    await page.getByRole('button', { name: 'Leave the organization' }).click()
    await dialog.getByRole('button', { name: 'Leave the organization' }).click()
    await page
      .getByRole('region', { name: 'Account' })
      .getByText('member', { exact: true })
      .waitFor()
    await page.getByText(`Ask ${grace}`).waitFor()
    await setRole('admin')
    await page.reload()
    await page.getByRole('button', { name: 'Leave the organization' }).click()
    await dialog.getByRole('button', { name: 'Leave the organization' }).click()
    await page.waitForURL(/\/sign-in/)
    await signInAs(page, { email: grace, password })
    await page.getByRole('heading', { level: 1, name: 'Team' }).waitFor()
    expect(await members.getByRole('listitem').count()).toBe(1)
    expect(faults).toEqual([])
  })

  test('an owner changes the settings and deactivates the organization, which a member only reads', async () => {
    const organization = await registerTestOrganization(portal.server)
    const { fullKey } = await organization.createKey()
    const colleague = `linus-${organization.slug}@example.com`
    const invitation = { email: colleague, role: 'member' }
    await organization.fetch('/api/portal/team/invite', jsonPost(invitation))
    const token = await tokenMailedTo(portal.server, colleague)
    await postJson(portal.server, '/api/auth/accept-invite', { token, password })

    await using context = await portal.visitor()
    const { page, faults } = await openExaminedPage(context, [/status of 400/])
    await page.goto('/organization')
    await signInAs(page, organization.owner)
    await page.getByLabel('Short name').fill('api')
    await page.getByRole('button', { name: 'Save the name' }).click()
    await page.getByText('The slug api is taken.').waitFor()
    await page.getByLabel('Short name').fill(`${organization.slug}-2`)
    await page.getByLabel('Name of the organization').fill('محفوظات الشرق')
    await page.getByRole('button', { name: 'Save the name' }).click()
    await page.getByRole('region', { name: 'Account' }).getByText('محفوظات الشرق').waitFor()

    await page.getByLabel('Default region').selectOption('us-east-2')
    await page.getByRole('checkbox', { name: 'United States' }).uncheck()
    await page.getByRole('button', { name: 'Save the settings' }).click()
    await page.getByText('Choose one of the allowed regions.').waitFor()
    await expectAccessible(page)
    await page.getByLabel('Default region').selectOption('eu-central-1')
    await page.getByLabel('Contact address').fill('')
    await page.getByRole('button', { name: 'Save the settings' }).click()
    await page.getByText('The settings are saved.').waitFor()
    expect(await read()).toMatchObject({
      slug: `${organization.slug}-2`,
      contactEmail: null,
      defaultRegion: 'eu-central-1',
      allowedRegions: ['ca-central-1', 'eu-central-1'],
    })

    await page.getByRole('button', { name: 'Deactivate the organization', exact: true }).click()
    const dialog = page.getByRole('dialog')
    const confirm = dialog.getByRole('button', { name: 'Deactivate for good' })
    expect(await confirm.isDisabled()).toBe(true)
    await dialog.getByRole('textbox').fill(`${organization.slug}-2`)
    await expectAccessible(page)
    await confirm.click()
    await page.getByRole('heading', { name: 'What deactivated means' }).waitFor()
    await expectAccessible(page)
    expect(await page.getByRole('button', { name: /^Save|^Deactivate the/ }).count()).toBe(0)
    const headers = { 'X-Api-Key': fullKey }
    expect((await portal.server.fetch('/api/batches', { headers })).status).toBe(401)

    await page.getByRole('button', { name: 'Sign out' }).click()
    await signInAs(page, { email: colleague, password })
    await page.waitForURL('/organization')
    await page.getByRole('heading', { name: 'About the organization' }).waitFor()
    expect(await page.getByRole('textbox').count()).toBe(0)
    await page.getByRole('link', { name: 'Team' }).click()
    await page.getByRole('list', { name: 'Members' }).getByText(colleague).waitFor()
    expect(await page.getByRole('button', { name: /invitation|^Remove|^Leave|role/ }).count()).toBe(
      0,
    )
    expect(faults).toEqual([])

    async function read() {
      return OrganizationResponse.parse(
        await (await organization.fetch('/api/portal/organization')).json(),
      )
    }
  })
})
