import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { joinTestOrganization } from '../../api/test/member.ts'
import { goodPassword, registerTestOrganization } from '../../api/test/organization.ts'
import { pdf } from '../../api/test/pdf.ts'
import { chromiumPath, howToInstall } from './browser.ts'
import { expectAccessible, openExaminedPage } from './examined-page.ts'
import { type OpenPortal, openPortal } from './portal.ts'
import { signInAs } from './sign-in.ts'

describe.skipIf(chromiumPath === null)(`keys, batches, certificates (${howToInstall})`, () => {
  let portal: OpenPortal
  beforeAll(async () => {
    portal = await openPortal()
  })
  afterAll(() => portal?.[Symbol.asyncDispose]())

  const submit = async (key: string, fields: Record<string, string>, text: string) => {
    const form = new FormData()
    form.set('file', new Blob([pdf({ text })], { type: 'application/pdf' }), 'in.pdf')
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    const response = await portal.server.fetch('/api/normalize', {
      method: 'POST',
      headers: { 'X-Api-Key': key },
      body: form,
    })
    return (await response.json()) as { normalized: { sha256: string } }
  }

  test('a key is created and shown once, works, is rotated with an overlap and revoked', async () => {
    const organization = await registerTestOrganization(portal.server)
    const { owner } = organization
    await using context = await portal.visitor()
    const { page, faults } = await openExaminedPage(context, [/status of 400/])
    const reads = async (key: string | null) =>
      (await portal.server.fetch('/api/batches', { headers: { 'X-Api-Key': key ?? '' } })).status
    await page.goto('/api-keys')
    await signInAs(page, owner)
    await page.getByRole('heading', { name: 'There is no key yet' }).waitFor()
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Create the first key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill(' ')
    for (const scope of ['Normalize', 'Read']) await dialog.getByLabel(scope).uncheck()
    await dialog.getByRole('button', { name: 'Create the key' }).click()
    await dialog.getByText('Choose at least one').waitFor()
    await dialog.getByLabel('Name').fill('Invoice import <b>')
    await dialog.getByLabel('Read').check()
    await dialog.getByLabel('Expires').selectOption('On a day that I choose')
    // What the server refuses stands at its field.
    await dialog.getByLabel('Last day').fill('2020-01-31')
    await dialog.getByRole('button', { name: 'Create the key' }).click()
    await dialog.getByText('A key cannot expire in the past').waitFor()
    await expectAccessible(page)
    await dialog.getByLabel('Expires').selectOption('In 90 days')
    await dialog.getByRole('button', { name: 'Create the key' }).click()
    const secret = dialog.getByText(/^pdfnorm_\w{36}$/)
    const first = await secret.textContent()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'I have copied it' }).click()
    expect(await page.getByText(first ?? '').count()).toBe(0)
    expect(await reads(first)).toBe(200)

    await page.getByRole('button', { name: 'Rotate Invoice import <b>' }).click()
    await dialog.getByLabel('How long').selectOption('1 hour')
    await dialog.getByRole('button', { name: 'Rotate the key' }).click()
    const second = await secret.textContent()
    await dialog.getByRole('button', { name: 'I have copied it' }).click()
    expect([await reads(first), await reads(second)]).toEqual([200, 200])
    await page.getByText('Ends soon').waitFor()

    await page.getByRole('button', { name: 'Revoke Invoice import <b>' }).first().click()
    await dialog.getByRole('button', { name: 'Revoke the key' }).click()
    await page.getByText('Invoice import <b> is revoked.').waitFor()
    // The button that had the focus is gone with its key: the keyboard goes on at the list.
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await expect.poll(focused).toMatch(/^Keys/)
    expect([await reads(first), await reads(second)]).toEqual([200, 401])
    await page.getByText('Ended (1)').click()
    await page.getByRole('list', { name: 'API keys' }).getByText('Revoked').waitFor()
    expect(await page.getByRole('button', { name: /^Rotate/ }).count()).toBe(0)
    await expectAccessible(page)

    // A member sees the keys, and whom to ask for one.
    const { email } = await joinTestOrganization(portal.server, organization, 'member')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await signInAs(page, { email, password: goodPassword })
    await page.waitForURL(/\/api-keys/)
    await page.getByText(`Ask ${owner.email}`).waitFor()
    const deeds = page.getByRole('main').getByRole('button', { name: /create|rotate|revoke/i })
    expect(await deeds.count()).toBe(0)
    expect(faults).toEqual([])
  })

  test('a batch shows how far it has come, and takes a document from a member', async () => {
    const organization = await registerTestOrganization(portal.server)
    const { fullKey } = await organization.createKey()
    await using context = await portal.visitor({ viewport: { width: 390, height: 800 } })
    const { page, faults } = await openExaminedPage(context)
    await page.goto('/batches')
    await signInAs(page, organization.owner)
    await page.getByRole('heading', { name: 'There is no batch yet' }).waitFor()
    await page.getByText('/api/batches').waitFor()
    await expectAccessible(page)

    const created = await portal.server.fetch('/api/batches', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Api-Key': fullKey },
      body: JSON.stringify({ name: 'أرشيف 2026' }),
    })
    const { batchId } = (await created.json()) as { batchId: string }
    await submit(fullKey, { batch_id: batchId }, 'the first')
    await page.reload()
    await page.getByText('1 of 1 ended · 1 success').waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'أرشيف 2026' }).click()
    await page.getByRole('heading', { name: 'أرشيف 2026' }).waitFor()
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Choose a file' }).click(),
    ])
    await chooser.setFiles({
      name: 'of another age.pdf',
      mimeType: 'application/pdf',
      buffer: pdf({ text: 'new', version: '3.0' }),
    })
    await page.getByText('2 of 2 ended · 1 success · 1 rejected').waitFor()
    await page.getByText('UNSUPPORTED_PDF_VERSION').waitFor()
    await expectAccessible(page)
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(overflow).toBe(0)
    expect(faults).toEqual([])
  })

  test('a visitor checks a certificate in the browser, and hears what is wrong with a forged one', async () => {
    const organization = await registerTestOrganization(portal.server)
    const { fullKey } = await organization.createKey()
    const { normalized } = await submit(fullKey, {}, 'to be certified')
    const fetched = async (path: string) => {
      const response = await portal.server.fetch(path + normalized.sha256, {
        headers: { 'X-Api-Key': fullKey },
      })
      return Buffer.from(await response.arrayBuffer())
    }
    const [file, certificate, attestation] = await Promise.all(
      ['/api/artifacts/', '/api/certificates/', '/api/attestations/'].map(fetched),
    )
    await using context = await portal.visitor()
    const { page, faults } = await openExaminedPage(context)
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() !== 'GET' || request.url().includes(normalized.sha256)) {
        sent.push(`${request.method()} ${request.url()}`)
      }
    })
    const choose = async (files: Record<string, Buffer | undefined>) => {
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        page.getByRole('button', { name: 'Choose the PDF' }).click(),
      ])
      await chooser.setFiles(
        Object.entries(files).map(([name, buffer = Buffer.alloc(0)]) => ({
          name,
          mimeType: 'application/octet-stream',
          buffer,
        })),
      )
    }
    await page.goto('/certificate-check')
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
    await expectAccessible(page)

    await choose({ 'contract.pdf': file, 'contract.jws': certificate })
    await page.getByRole('heading', { name: 'contract.pdf is genuine' }).waitFor()
    expect(await page.getByRole('img', { name: 'Passed' }).count()).toBe(4)
    await page.getByRole('row', { name: `Signed by ${portal.server.config.baseUrl}` }).waitFor()
    await expectAccessible(page)
    await choose({ 'attestation.json': attestation })
    await page.getByRole('heading', { name: 'What the attestation says' }).waitFor()

    await choose({ 'original.pdf': pdf({ text: 'to be certified' }) })
    await page.getByText('original.pdf is the original').waitFor()
    await choose({ 'changed.pdf': Buffer.concat([file ?? Buffer.alloc(0), Buffer.from(' ')]) })
    await page.getByRole('heading', { name: 'This is not the certified file' }).waitFor()
    // The verdict on the original has the same heading: this one tells what did pass.
    await expect.poll(() => page.getByRole('img', { name: 'Passed' }).count()).toBe(3)

    const [head = '', payload = '', signature = ''] = certificate?.toString().split('.') ?? []
    const forgedClaims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const forged = [head, encode({ ...forgedClaims, iss: 'https://elsewhere' }), signature]
    await page.getByLabel('Or paste the certificate').fill(forged.join('.'))
    await page.getByText('its signature does not verify').waitFor()
    expect(await page.getByText('https://elsewhere').count()).toBe(0)
    const header = JSON.parse(Buffer.from(head, 'base64url').toString())
    const foreign = [encode({ ...header, kid: 'another' }), payload, signature]
    await page.getByLabel('Or paste the certificate').fill(foreign.join('.'))
    await page.getByText('It names the key another, which this service never had.').waitFor()
    await page.getByLabel('Or paste the certificate').fill('{"@type": "Poem"}')
    await page.getByText('it is not a normalization attestation').waitFor()
    await expectAccessible(page)
    await choose({ 'poem.txt': Buffer.from('no proof of anything') })
    await page.getByRole('alert').getByText('poem.txt').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Check another one' }).press('Enter')
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toBe('Certificate check')
    expect({ sent, faults }).toEqual({ sent: [], faults: [] })
  })
})
