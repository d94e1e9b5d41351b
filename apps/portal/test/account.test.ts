import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mailsTo } from '../../api/test/mailbox.ts'
import { registerTestOrganization } from '../../api/test/organization.ts'
import { chromiumPath, howToInstall } from './browser.ts'
import { expectAccessible, openExaminedPage } from './examined-page.ts'
import { type OpenPortal, openPortal } from './portal.ts'
import { signInAs } from './sign-in.ts'

describe.skipIf(chromiumPath === null)(`an account in the portal (${howToInstall})`, () => {
  let portal: OpenPortal
  beforeAll(async () => {
    portal = await openPortal()
  })
  afterAll(() => portal?.[Symbol.asyncDispose]())

  test('a visitor registers, verifies the address, forgets the password and sets another one', async () => {
    await using context = await portal.visitor()
    const { page, faults } = await openExaminedPage(context, [/status of 400/])
    await page.goto('/')
    await page.waitForURL('/sign-in')
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Register' }).click()
    await page.getByRole('button', { name: 'Register', exact: true }).click()
    await page.getByText('At least 8 characters.').waitFor()
    await page.getByLabel('Name of the organization').fill('Zürcher Akten & Söhne')
    expect(await page.getByLabel('Short name').inputValue()).toBe('zurcher-akten-sohne')
    await page.getByLabel('Short name').fill('api')
    await page.getByLabel('Your e-mail address').fill('ada@example.com')
    await page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery staple')
    await page.getByRole('button', { name: 'Register', exact: true }).click()
    // What the server refuses stands at its field.
    await page.getByText('The slug api is taken').waitFor()
    await expectAccessible(page)
    await page.getByLabel('Short name').fill('zurcher-akten-sohne')
    await page.getByRole('button', { name: 'Register', exact: true }).click()
    await page.waitForURL('/')
    await page.getByText('Please verify your address').waitFor()
    await expectAccessible(page)

    // By keyboard alone: past the navigation, and to another page.
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('page')
    await page.getByRole('link', { name: 'Team' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Team' }).waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Team')
    expect(await page.title()).toBe('Team · pdfnorm')

    const [verification] = await mailsTo(portal.server, 'ada@example.com')
    await page.goto(`/${verification?.page}#token=${verification?.token}`)
    await page.getByText('The address is verified.').waitFor()
    await expectAccessible(page)
    // What is used up does not stay in the address.
    await page.waitForURL((url) => url.hash === '')
    await page.getByRole('link', { name: 'Go on' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    expect(await page.getByText('Please verify your address').count()).toBe(0)

    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('link', { name: 'Forgot the password?' }).click()
    await page.getByRole('heading', { name: 'Forgot the password?' }).waitFor()
    await page.getByLabel('E-mail address').fill('ada@example.com')
    await page.getByRole('button', { name: 'Send the mail' }).click()
    await page.getByText('a mail with a link is on its way').waitFor()
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(
      'Forgot the password?',
    )
    await expectAccessible(page)

    const reset = (await mailsTo(portal.server, 'ada@example.com')).at(-1)
    await page.goto(`/${reset?.page}#token=${reset?.token}`)
    await page.getByRole('textbox', { name: 'New password' }).fill('another good passphrase')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Set the password' }).click()
    await page.getByText('The password is set.').waitFor()
    await page.getByLabel('E-mail address').fill('ada@example.com')
    await page.getByRole('textbox', { name: 'Password' }).fill('another good passphrase')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    expect(faults).toEqual([])
  })

  test('a registration that takes a captcha shows it, and sends what proves its answer', async () => {
    await using context = await portal.visitor()
    // As the server answers with a captcha configured (apps/api/test/portal.test.ts), without a service of its own.
    await context.route(/\/sign-up$/, async (route) => {
      const response = await route.fetch()
      const { 'content-security-policy': policy = '', ...headers } = response.headers()
      const meta = `<meta name="captcha" content='{"provider":"turnstile","siteKey":"site"}'></head>`
      const source = 'https://challenges.cloudflare.com'
      await route.fulfill({
        headers: {
          ...headers,
          'content-security-policy': policy.replace("script-src 'self'", `$& ${source}`),
        },
        body: (await response.text()).replace('</head>', meta),
      })
    })
    await context.route('https://challenges.cloudflare.com/**', (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: `
          window.turnstile = { render: (place, { sitekey, callback }) => {
            const button = document.createElement('button')
            Object.assign(button, { type: 'button', textContent: 'I am no robot' })
            button.onclick = () => callback('proof for ' + sitekey)
            place.append(button)
          } }
          window[new URL(document.currentScript.src).searchParams.get('onload')]()`,
      }),
    )
    const { page, faults } = await openExaminedPage(context, [/status of 400/])
    await page.goto('/sign-up')
    await page.getByLabel('Name of the organization').fill('Guarded')
    await page.getByLabel('Short name').fill('api')
    await page.getByLabel('Your e-mail address').fill('guarded@example.com')
    await page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery staple')
    await page.getByRole('button', { name: 'Register', exact: true }).click()
    await page.getByText('Solve the captcha first.').waitFor()
    await page.getByRole('button', { name: 'I am no robot' }).click()
    await page.getByRole('button', { name: 'Register', exact: true }).click()
    // A proof counts once: the refused attempt has used it up.
    await page.getByText('The slug api is taken').waitFor()
    await page.getByLabel('Short name').fill('guarded')
    await page.getByRole('button', { name: 'I am no robot' }).click()
    const [request] = await Promise.all([
      page.waitForRequest('**/api/auth/register'),
      page.getByRole('button', { name: 'Register', exact: true }).click(),
    ])
    expect(request.postDataJSON()).toMatchObject({ captchaToken: 'proof for site' })
    await page.waitForURL('/')
    expect(faults).toEqual([])
  })

  test('an invited colleague joins by the link of the mail', async () => {
    const organization = await registerTestOrganization(portal.server)
    const email = `grace-${organization.slug}@example.com`
    await organization.fetch('/api/portal/team/invite', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email, role: 'admin' }),
    })
    const [invitation] = await mailsTo(portal.server, email)
    await using context = await portal.visitor()
    const { page, faults } = await openExaminedPage(context)
    await page.goto(`/${invitation?.page}#token=${invitation?.token}`)
    await page.getByRole('textbox', { name: 'New password' }).fill('a passphrase of my own')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Accept the invitation' }).click()
    await page.getByText('The invitation is accepted.').waitFor()
    await signInAs(page, { email, password: 'a passphrase of my own' })

    await page.getByRole('region', { name: 'Account' }).getByText('admin').waitFor()
    expect(faults).toEqual([])
  })

  test('an expired token is renewed unseen, in two tabs at once, and an ended session leads back to its page', async () => {
    const { owner } = await registerTestOrganization(portal.server)
    await using context = await portal.visitor()
    const { page } = await openExaminedPage(context)
    await page.goto('/team')
    await page.waitForURL('/sign-in?from=%2Fteam')
    await signInAs(page, owner)
    await page.waitForURL('/team')
    const { page: other } = await openExaminedPage(context)
    await other.goto('/sign-in?from=%2F.%2F%2Fevil.example')
    await other.waitForURL('/')
    await other.goto('/sign-in?from=%2Fbilling')
    await other.waitForURL('/billing')
    await other.getByRole('heading', { name: 'Billing' }).waitFor()

    // The browsers' clocks stay: only the service knows that their tokens are old.
    portal.server.clock.advance(16 * 60 * 1000)
    const tabs = [page, other]
    await Promise.all(
      tabs.map(async (tab) => {
        await tab.reload()
        await tab.getByRole('heading', { level: 1 }).waitFor()
      }),
    )
    expect(tabs.map((tab) => new URL(tab.url()).pathname)).toEqual(['/team', '/billing'])
    const kept = await page.context().storageState()
    expect(JSON.stringify(kept.origins)).not.toMatch(/eyJ|token/)

    await other.getByRole('button', { name: 'Sign out' }).click()
    // The other tab is signed out with it, and comes back to where it was.
    await page.waitForURL('/sign-in?from=%2Fteam')
    await signInAs(page, owner)
    await page.waitForURL('/team')
  })
})
