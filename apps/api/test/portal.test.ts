import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express from 'express'
import { expect, test } from 'vitest'
import { mountPortal, portalPages } from '../src/http/portal.ts'

const asPage = { headers: { Accept: 'text/html' } }

test('without a built portal the address says what to run, and nothing else changes', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'pdfnorm-no-portal-'))
  const app = express()
  mountPortal(app, directory)
  app.use(portalPages(directory))
  const unbuilt = createServer(app).listen(0, '127.0.0.1')
  await once(unbuilt, 'listening')
  const url = `http://127.0.0.1:${(unbuilt.address() as AddressInfo).port}`

  expect(await (await fetch(url)).text()).toContain('npm run build')
  expect(await (await fetch(`${url}/billing`, asPage)).text()).toContain('npm run build')
  expect((await fetch(`${url}/assets/index.js`)).status).toBe(404)
  unbuilt.close()
  await rm(directory, { recursive: true })
})
