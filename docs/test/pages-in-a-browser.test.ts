import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sitePolicy } from '../../apps/api/src/http/documentation.ts'
import { chromiumPath, howToInstall, openBrowser } from '../../apps/portal/test/browser.ts'
import { expectAccessible, openExaminedPage } from '../../apps/portal/test/examined-page.ts'
import { buildSite } from '../site/build-site.ts'

/** Pages between them have every part that the layout and the generators know. */
const looks = [
  {
    look: { colorScheme: 'light', viewport: { width: 1440, height: 900 } },
    pages: ['/docs/guides/webhooks', '/docs/reference', '/docs/errors/quota-exceeded'],
  },
  {
    look: { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
    pages: ['/docs/guides/limits', '/docs/reference/getSubmission'],
  },
] as const

describe.skipIf(chromiumPath === null)(`the documentation in a browser (${howToInstall})`, () => {
  let server: Server
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let address: string

  beforeAll(async () => {
    server = await serveSite()
    address = `http://localhost:${(server.address() as AddressInfo).port}`
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser.close()
    server.close()
  })

  test.for(looks)('axe finds nothing, $look.colorScheme', async ({ look, pages }) => {
    await using context = await browser.newContext(look)
    const { page, faults } = await openExaminedPage(context)
    for (const path of pages) {
      await page.goto(address + path)
      await expectAccessible(page)
    }
    expect(faults).toEqual([])
  })

  test('no page is wider than a small screen', async () => {
    await using context = await browser.newContext({ viewport: { width: 320, height: 700 } })
    const page = await context.newPage()
    const tooWide: string[] = []
    for (const path of ['/docs', '/docs/guides/first-pdf', '/docs/reference', '/docs/events']) {
      await page.goto(address + path)
      const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
      if (widths[0] !== widths[1]) tooWide.push(path)
    }
    expect(tooWide).toEqual([])
  })

  test('the search finds a code, by keyboard, and leads to its page', async () => {
    await using context = await browser.newContext()
    const { page, faults } = await openExaminedPage(context)
    await page.goto(`${address}/docs/guides/errors`)
    await page.keyboard.press('/')
    await page.keyboard.type('quota_exceeded')
    await page.getByRole('link', { name: 'QUOTA_EXCEEDED' }).first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/errors/quota-exceeded**')
    expect(faults).toEqual([])
  })

  test('without scripts the menu opens, and a language is chosen', async () => {
    const small = { viewport: { width: 390, height: 844 } }
    await using context = await browser.newContext({ ...small, javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(`${address}/docs/reference/getReport`)
    await page.getByText('Python', { exact: true }).click()
    await page.getByText('import json, os, urllib.request').waitFor()
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('link', { name: 'Glossary' }).click()
    await page.waitForURL('**/docs/glossary')
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Glossary')
  })
})

/** As apps/api/src/http/documentation.ts does. */
async function serveSite(): Promise<Server> {
  const files = await buildSite()
  const types = {
    css: 'text/css',
    js: 'text/javascript',
    svg: 'image/svg+xml',
    json: 'application/json',
  }
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/^\/docs\/?/, '')
    const content = files.get(path) ?? files.get(path === '' ? 'index.html' : `${path}.html`)
    const type = types[path.split('.').at(-1) as keyof typeof types] ?? 'text/html'
    response.writeHead(content === undefined ? 404 : 200, {
      'Content-Type': `${type}; charset=utf-8`,
      'Content-Security-Policy': sitePolicy,
    })
    response.end(content)
  })
  server.listen(0)
  await once(server, 'listening')
  return server
}
