import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { registerTestOrganization } from '../../api/test/organization.ts'
import { pdf } from '../../api/test/pdf.ts'
import { pdfaDocument } from '../../normalizer/test/fixture/pdfa-document.ts'
import { chromiumPath, howToInstall } from './browser.ts'
import { expectAccessible, openExaminedPage } from './examined-page.ts'
import { type OpenPortal, openPortal } from './portal.ts'
import { signInAs } from './sign-in.ts'

describe.skipIf(chromiumPath === null)(`documents in the portal (${howToInstall})`, () => {
  let portal: OpenPortal
  beforeAll(async () => {
    portal = await openPortal()
  })
  afterAll(() => portal?.[Symbol.asyncDispose]())

  test('an empty overview leads to a first document: stages, findings, pages, the file and its certificate', async () => {
    const { owner } = await registerTestOrganization(portal.server)
    await using context = await portal.visitor()
    const { page, faults } = await openExaminedPage(context)
    await page.goto('/')
    await signInAs(page, owner)
    await page.getByRole('heading', { name: 'Normalize the first PDF' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Normalize a sample' }).click()

    await page.getByText(/^Done in [\d,]+ ms/).waitFor()
    // Who loads the page again does not hand in another one.
    expect(new URL(page.url()).search).toBe('')
    await page.getByText('JavaScript was taken out').waitFor()
    const stages = page.getByRole('list', { name: 'The ten stages' })
    expect(await stages.getByRole('listitem').count()).toBe(10)
    await stages
      .getByText(/\d+ ms$/)
      .last()
      .waitFor()
    // Both were drawn by the browser itself.
    for (const label of ['Page 1: Before', 'Page 1: After']) {
      const canvas = page.getByRole('img', { name: label })
      await canvas.waitFor()
      await expect
        .poll(() =>
          canvas.evaluate((element: HTMLCanvasElement) => {
            const drawn = element.getContext('2d')
            const { data } = drawn?.getImageData(0, 0, element.width, element.height) ?? {}
            return data?.some((value, at) => at % 4 !== 3 && value < 128)
          }),
        )
        .toBe(true)
    }
    await expectAccessible(page)

    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the file' }).click(),
    ])
    const bytes = await readFile(await file.path())
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    await page.getByText(sha256).waitFor()
    const [certificate] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download its certificate' }).click(),
    ])
    const jws = await readFile(await certificate.path(), 'utf8')
    const claims = JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString())
    expect(claims).toMatchObject({ normalizedSha256: sha256 })

    await page.getByRole('link', { name: 'Its submission' }).click()
    await page.getByRole('heading', { name: /^Submission / }).waitFor()
    await page.getByRole('img', { name: 'Page 1: Normalized' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('heading', { name: 'Recent submissions' }).waitFor()
    await page.getByRole('heading', { name: 'The last 30 days' }).waitFor()
    await expectAccessible(page)
    expect(faults).toEqual([])
  })

  test('a document that is refused says why, in dark and on a small screen too', async () => {
    const { owner } = await registerTestOrganization(portal.server)
    await using context = await portal.visitor({
      colorScheme: 'dark',
      viewport: { width: 390, height: 800 },
    })
    const { page, faults } = await openExaminedPage(context, [
      /status of 40[04]/,
      /There is no submission/,
      /ERR_INTERNET_DISCONNECTED/,
    ])
    await page.goto('/playground')
    await signInAs(page, owner)
    await page.getByRole('heading', { name: 'Playground' }).waitFor()
    await expectAccessible(page)
    const choose = async (name: string, content: Buffer<ArrayBuffer>) => {
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        page.getByRole('button', { name: 'Choose a file' }).click(),
      ])
      await chooser.setFiles({ name, mimeType: 'application/pdf', buffer: content })
    }
    await choose('of another age.pdf', pdf({ text: 'new', version: '3.0' }))
    await page.getByText('A policy refused it').waitFor()
    await page.getByText('UNSUPPORTED_PDF_VERSION').waitFor()
    // The button that was pressed made way: the keyboard goes on from the title.
    expect(await focused(page)).toBe('Playground')
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Another document' }).press('Enter')
    await page.getByText('Drop a PDF here').waitFor()
    expect(await focused(page)).toBe('Playground')
    await choose(
      'archive.pdf',
      Buffer.from(pdfaDocument('2b', { content: '0 0 0 1 k 0 0 9 9 re f' })),
    )
    await page.getByText('claims PDF/A-2b. The normalized file does not conform').waitFor()
    await page.getByText('The claim was kept').waitFor()
    await page.getByRole('button', { name: 'Another document' }).click()
    await choose('no.pdf', Buffer.from('this is none'))
    await page.getByRole('alert').getByText('INVALID_FILE').waitFor()
    await page
      .getByRole('alert')
      .getByText(/^[0-9a-f-]{36}$/)
      .waitFor()
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Another document' }).click()
    await choose('large.pdf', Buffer.alloc(6 * 1024 * 1024))
    await page.getByRole('alert').getByText('large.pdf has 6 MB').waitFor()
    await page.getByText('Drop a PDF here').evaluate((place) => {
      const dataTransfer = new DataTransfer()
      for (const name of ['one.pdf', 'two.pdf']) dataTransfer.items.add(new File(['%PDF-'], name))
      place.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }))
    })
    await page.getByRole('alert').getByText('2 were dropped').waitFor()
    await expectAccessible(page)
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Use a sample' }).click()
    await page.getByRole('alert').getByText('The service did not answer.').waitFor()
    await context.setOffline(false)

    await page.goto('/submissions/0199c8a4-6f1e-7c3a-9d52-0b6f6f0d3c11')
    await page.getByRole('heading', { name: 'Nothing is here' }).waitFor()
    expect(await page.getByRole('main').count()).toBe(1)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Open the navigation' }).click()
    await page.getByRole('link', { name: 'Submissions' }).click()
    await page.getByRole('heading', { name: 'Submissions' }).waitFor()
    await page.getByText('2 submissions', { exact: true }).waitFor()
    await page.getByRole('table').getByText('Rejected').waitFor()
    await expectAccessible(page)

    // Who is told to be signed out while the service was not would leave the session to whoever comes next.
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Open the navigation' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('You are still signed in.').waitFor()
    await context.setOffline(false)
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(faults).toEqual([])
  })
})

/** The text of what has the focus. */
function focused(page: Page): Promise<string | null | undefined> {
  return page.evaluate(() => document.activeElement?.textContent)
}
