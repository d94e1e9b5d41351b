import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { filesOfExport, recordsIn } from '../../api/test/export.ts'
import { mailsTo } from '../../api/test/mailbox.ts'
import { joinTestOrganization } from '../../api/test/member.ts'
import { goodPassword, registerTestOrganization } from '../../api/test/organization.ts'
import { chromiumPath, howToInstall } from './browser.ts'
import { expectAccessible, openExaminedPage } from './examined-page.ts'
import { type OpenPortal, openPortal } from './portal.ts'
import { signInAs } from './sign-in.ts'

describe.skipIf(chromiumPath === null)(`data protection in the portal (${howToInstall})`, () => {
  let portal: OpenPortal
  beforeAll(async () => {
    portal = await openPortal()
  })
  afterAll(() => portal?.[Symbol.asyncDispose]())

  test('the owner asks for an export and downloads it where the mail leads', async () => {
    const { owner, slug } = await registerTestOrganization(portal.server)
    await using context = await portal.visitor()
    const { page, faults } = await openExaminedPage(context)
    await page.goto('/data-protection')
    await signInAs(page, owner)
    await page.getByText('Nobody has asked for one yet.').waitFor()
    await page.getByRole('button', { name: 'Export everything' }).click()
    await page.getByRole('button', { name: 'Download the export' }).waitFor()

    const mails = await mailsTo(portal.server, owner.email)
    const link = /https?:\/\/\S+\/data-protection/.exec(mails.at(-1)?.text ?? '')?.[0] ?? ''
    await page.goto(link)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the export' }).click(),
    ])
    expect(file.suggestedFilename()).toMatch(/^org_[0-9a-f]{32}-\d{4}-\d\d-\d\d\.zip$/)
    const files = await filesOfExport(await readFile(await file.path()))
    expect(recordsIn(files, 'organization')).toMatchObject([{ slug }])
    await expectAccessible(page)
    expect(faults).toEqual([])
  })

  test('the owner has all erased, asks for the deletion and cancels it', async () => {
    const { owner, slug } = await registerTestOrganization(portal.server)
    await using context = await portal.visitor()
    const { page, faults } = await openExaminedPage(context)
    await page.goto('/data-protection')
    await signInAs(page, owner)

    await page.getByRole('button', { name: 'Erase all documents', exact: true }).click()
    const erasing = page.getByRole('dialog', { name: 'Erase all documents?' })
    expect(await erasing.getByRole('button', { name: 'Erase them' }).isDisabled()).toBe(true)
    await erasing.getByRole('textbox').fill(slug)
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await page.getByText(/^What came until .* is erased\.$/).waitFor()

    await page.getByRole('button', { name: 'Delete the organization', exact: true }).click()
    const deleting = page.getByRole('dialog', { name: 'Delete the organization?' })
    await deleting.getByRole('textbox').fill(slug)
    await page.keyboard.press('Enter')
    await page.getByRole('timer').waitFor()
    expect(await page.getByRole('timer').textContent()).toMatch(/^2 days 23:59:\d\d$|^3 days/)
    await expectAccessible(page)
    // Every other page tells of it, too.
    await page.getByRole('link', { name: 'Team' }).click()
    await page.getByRole('heading', { level: 1, name: 'Team' }).waitFor()
    await page.getByText('The organization will be deleted').waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Keep the organization' }).click()
    await page.getByRole('button', { name: 'Keep the organization' }).click()
    await page.getByText(/^The request of .* was cancelled\.$/).waitFor()
    expect(await page.getByRole('timer').count()).toBe(0)
    expect(faults).toEqual([])
  })

  test('an admin may export and nothing more, a member is told whom to ask', async () => {
    const organization = await registerTestOrganization(portal.server)
    const offered = {
      admin: ['Export everything'],
      member: [],
    }
    for (const role of ['admin', 'member'] as const) {
      const { email } = await joinTestOrganization(portal.server, organization, role)
      await using context = await portal.visitor({ viewport: { width: 390, height: 800 } })
      const { page, faults } = await openExaminedPage(context)
      await page.goto('/data-protection')
      await signInAs(page, { email, password: goodPassword })
      await page.getByText(organization.owner.email).first().waitFor()
      await expectAccessible(page)
      const buttons = page.getByRole('main').getByRole('button', { name: /export|erase|delete/i })
      const names = await buttons.allTextContents()
      expect(names.filter((name) => !name.endsWith('from a program'))).toEqual(offered[role])
      expect(faults).toEqual([])
    }
  })
})
