import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../api/test/server.ts'
import { builtPortal } from '../build/build-portal.ts'
import { firstLoads } from './first-load.ts'

const asPage = { headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

test('a page of the portal loads only what its own server holds, and each answer has its own nonce', async () => {
  const first = await server.fetch('/', asPage)
  const policy = first.headers.get('content-security-policy') ?? ''
  const [, nonce = ''] = /script-src 'self' 'nonce-([^']+)'/.exec(policy) ?? []
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toContain('unsafe')
  expect(first.headers.get('cache-control')).toBe('no-store')
  const html = await first.text()
  expect(html).not.toContain('nonce-of-the-answer')
  const inline = html.match(/<script\b[^>]*>/g) ?? []
  expect(inline.every((tag) => tag.includes(`nonce="${nonce}"`))).toBe(true)

  const second = await server.fetch('/', asPage)
  expect(second.headers.get('content-security-policy')).not.toBe(policy)
})

test('an address within the portal shows the portal to a browser, and nothing to a program', async () => {
  const shown = await server.fetch('/webhooks/0199c8a4-6f1e-7c3a-9d52-0b6f6f0d3c11', asPage)
  expect(shown.status).toBe(200)
  expect(await shown.text()).toContain('<div id="root">')

  const told = await server.fetch('/webhooks')
  expect(told.status).toBe(404)
  expect(told.headers.get('content-type')).toContain('application/problem+json')
})

test.each(['/api/nowhere', '/rpc/nowhere', '/assets/nowhere.js'])(
  '%s is not there, also for a browser',
  async (path) => {
    const response = await server.fetch(path, asPage)
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toMatch(/json/)
    expect(response.headers.get('content-encoding')).toBeNull()
    expect(response.headers.get('cache-control')).toBe('no-store')
  },
)

test('its files are kept for good, and come compressed to whom takes it', async () => {
  const html = await (await server.fetch('/', asPage)).text()
  const [, script = ''] = /<script type="module"[^>]* src="([^"]+)"/.exec(html) ?? []
  const plain = await readFile(join(builtPortal, script), 'utf8')
  for (const encoding of ['br', 'gzip', 'identity']) {
    const response = await server.fetch(script, { headers: { 'Accept-Encoding': encoding } })
    expect(response.headers.get('content-encoding') ?? 'identity').toBe(encoding)
    expect(response.headers.get('content-type')).toContain('text/javascript')
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(response.headers.get('vary')).toContain('Accept-Encoding')
    expect(await response.text()).toBe(plain)
  }
})

test('no page takes more than 250 kB of JavaScript, or more than 50 files of it, to its first sight', async () => {
  const loads = await firstLoads()
  expect(loads.length).toBeGreaterThan(15)
  expect(loads.filter(({ kilobytes, files }) => kilobytes > 250 || files > 50)).toEqual([])
})
