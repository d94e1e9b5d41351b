import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CaptchaOfPage } from '@pdfnorm/contracts/schema/captcha'
import express from 'express'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mountPortal, portalPages } from '../src/http/portal.ts'

const asPage = { headers: { Accept: 'text/html' } }

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pdfnorm-no-portal-'))
})
afterAll(() => rm(directory, { recursive: true }))

async function served(captchaOfPage: CaptchaOfPage | null) {
  const app = express()
  mountPortal(app, { captchaOfPage }, directory)
  app.use(portalPages({ captchaOfPage }, directory))
  const server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, close: () => server.close() }
}

test('without a built portal the address says what to run, and nothing else changes', async () => {
  const { url, close } = await served(null)
  expect(await (await fetch(url)).text()).toContain('npm run build')
  expect(await (await fetch(`${url}/billing`, asPage)).text()).toContain('npm run build')
  expect((await fetch(`${url}/assets/index.js`)).status).toBe(404)
  close()
})

test('a page says which captcha a registration takes, and its policy lets in that and nothing else', async () => {
  await writeFile(join(directory, 'index.html'), '<head></head>')
  const { url, close } = await served({ provider: 'hcaptcha', siteKey: 'a&"b' })
  const page = await fetch(`${url}/sign-up`, asPage)
  const [, content] = /<meta name="captcha" content="([^"]*)"/.exec(await page.text()) ?? []
  expect(content).toBe(
    '{&quot;provider&quot;:&quot;hcaptcha&quot;,&quot;siteKey&quot;:&quot;a&amp;\\&quot;b&quot;}',
  )
  const policy = page.headers.get('content-security-policy')
  expect(policy).toMatch(
    /script-src 'self' 'nonce-[^']+' https:\/\/hcaptcha\.com https:\/\/\*\.hcaptcha\.com;/,
  )
  expect(policy).toContain('frame-src https://hcaptcha.com https://*.hcaptcha.com;')
  close()

  const plain = await served(null)
  const other = await fetch(`${plain.url}/sign-up`, asPage)
  expect(await other.text()).toBe('<head></head>')
  expect(other.headers.get('content-security-policy')).not.toMatch(/https:|frame-src/)
  plain.close()
})
