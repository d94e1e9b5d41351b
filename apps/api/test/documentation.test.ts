import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { problemGuidance } from '@pdfnorm/contracts/schema/problem-guidance'
import express from 'express'
import { expect, onTestFinished, test } from 'vitest'
import { mountDocumentation } from '../src/http/documentation.ts'

test('a built page is served at its address, with or without a slash at its end', async () => {
  const { address, served } = await serve({ 'index.html': 'home', 'guides/limits.html': 'limits' })

  expect(served.sort()).toEqual(['/docs', '/docs/guides/limits'])
  for (const path of ['/docs', '/docs/']) {
    expect(await (await fetch(address + path)).text()).toBe('home')
  }
  const page = await fetch(`${address}/docs/guides/limits/`)
  expect(await page.text()).toBe('limits')
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
  expect(page.headers.get('content-security-policy')).not.toContain('unsafe')
})

test('a page that has not changed is not sent again, and files with a hash in their name are kept', async () => {
  const { address } = await serve({ 'index.html': 'home', 'assets/docs-0123.css': 'body {}' })

  const first = await fetch(`${address}/docs`)
  expect(first.headers.get('cache-control')).toBe('no-cache')
  const headers = { 'If-None-Match': first.headers.get('etag') ?? '' }
  const again = await fetch(`${address}/docs`, { headers })
  expect(again.status).toBe(304)
  expect(await again.text()).toBe('')

  const style = await fetch(`${address}/docs/assets/docs-0123.css`)
  expect(style.headers.get('cache-control')).toContain('immutable')
  expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8')
})

test('what is not among the built files is not found, wherever an address seems to lead', async () => {
  const { address } = await serve({ 'index.html': 'home' })
  const elsewhere = [
    '/docs/nothing',
    '/docs/index.html',
    '/docs/%2e%2e/%2e%2e/package.json',
    '/docs/..%2fopenapi.json',
    '/docs/__proto__',
  ]
  for (const path of elsewhere) expect((await fetch(address + path)).status).toBe(404)
  expect((await fetch(`${address}/docs`, { method: 'POST' })).status).toBe(404)
})

test('people who follow a link that leads nowhere get a page, and programs do not', async () => {
  const { address } = await serve({ 'index.html': 'home', 'not-found.html': 'nothing here' })
  const browser = { headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }
  const page = await fetch(`${address}/docs/guides/gone`, browser)
  expect(page.status).toBe(404)
  expect(await page.text()).toBe('nothing here')
  expect(await (await fetch(`${address}/docs/guides/gone`)).text()).not.toContain('nothing here')
})

test('without a built site there are a plain reference and a page for each code', async () => {
  const { address, served } = await serve({})

  expect(await (await fetch(`${address}/docs`)).text()).toContain('/api/normalize')
  expect(served).toContain('/docs/errors/quota-exceeded')
  const page = await (await fetch(`${address}/docs/errors/slug-taken`)).text()
  expect(page).toContain(problemGuidance.SLUG_TAKEN.remedy)
})

/** A server that has nothing but the documentation, built of these files. */
async function serve(files: Readonly<Record<string, string>>) {
  const directory = await mkdtemp(join(tmpdir(), 'pdfnorm-docs-'))
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(directory, name, '..'), { recursive: true })
    await writeFile(join(directory, name), content)
  }
  const app = express()
  app.disable('etag')
  const served = mountDocumentation(app, directory)
  const server = app.listen(0)
  await once(server, 'listening')
  onTestFinished(async () => {
    server.close()
    server.closeAllConnections()
    await rm(directory, { recursive: true })
  })
  const { port } = server.address() as AddressInfo
  return { address: `http://localhost:${port}`, served }
}
