import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findProcess } from '../src/embedded-postgres/operating-system-process.ts'
import { goodPassword, jsonPost, registration } from './organization.ts'

let directory: string
let services: ChildProcess[]
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pdfnorm-process-'))
  services = []
})
afterEach(async () => {
  for (const service of services) {
    if (service.exitCode !== null || service.signalCode !== null) continue
    const exited = once(service, 'exit')
    service.kill('SIGTERM')
    await exited
  }
  await rm(directory, { recursive: true, force: true, maxRetries: 20 })
})

test('a start says where the service is, Ctrl-C ends all of it, and a start after kill -9 works', async () => {
  const port = await freePort()
  const first = await startService(port)
  expect(first.welcome).toContain(`http://localhost:${port}`)
  expect(first.welcome).toContain(directory)
  await post(port, '/api/auth/register', registration('kept', 'kept@example.com'))

  const killed = once(first.process, 'exit')
  first.process.kill('SIGKILL')
  await killed

  const second = await startService(port)
  const credentials = { email: 'kept@example.com', password: goodPassword }
  expect((await post(port, '/api/auth/login', credentials)).status).toBe(200)

  const database = await postmasterPid()
  expect(await findProcess(database)).not.toBeNull()
  // One Ctrl-C arrives several times: from the terminal, and from npm.
  second.process.kill('SIGINT')
  second.process.kill('SIGINT')
  expect(await once(second.process, 'exit')).toEqual([0, null])
  expect(await findProcess(database)).toBeNull()
})

test('a service whose database ends does not pretend to live', async () => {
  const { process: service } = await startService(await freePort())
  process.kill(await postmasterPid(), 'SIGINT')
  expect(await once(service, 'exit')).toEqual([1, null])
})

test('a start with a bad setting ends at once and names it', async () => {
  const service = spawnService({ PORT: 'many', SYNC_DEADLINE: 'soon' })
  const [stderr, [code]] = await Promise.all([
    text(service.stderr),
    once(service, 'exit') as Promise<[number]>,
  ])
  expect(code).toBe(1)
  expect(stderr).toContain('PORT: must be a whole number')
  expect(stderr).toContain('SYNC_DEADLINE: must be a duration')
})

test('a start without its database ends at once and names the setting', async () => {
  const nowhere = `postgres://nobody@localhost:${await freePort()}/nothing`
  const service = spawnService({ DATABASE_URL: nowhere })
  const [stderr, [code]] = await Promise.all([
    text(service.stderr),
    once(service, 'exit') as Promise<[number]>,
  ])
  expect(code).toBe(1)
  expect(stderr).toMatch(/DATABASE_URL: leads to no database: .*ECONNREFUSED/)
})

test('a start that waits for the migration ends when it is told to', async () => {
  const service = spawnService({ PORT: '0', MIGRATE_AT_START: 'false', LOG_LEVEL: 'info' })
  const waits = Promise.withResolvers<void>()
  service.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (text.includes('not yet migrated')) waits.resolve()
  })
  await waits.promise
  service.kill('SIGTERM')
  expect(await once(service, 'exit')).toEqual([0, null])
  await expect(postmasterPid()).rejects.toThrow(/ENOENT/)
})

test('a start that fails leaves no database running', async () => {
  const taken = createServer().listen(0)
  await once(taken, 'listening')
  const service = spawnService({ PORT: String(portOf(taken)) })
  const [stderr, [code]] = await Promise.all([
    text(service.stderr),
    once(service, 'exit') as Promise<[number]>,
  ])
  taken.close()
  expect(code).toBe(1)
  expect(stderr).toContain('EADDRINUSE')
  await expect(postmasterPid()).rejects.toThrow(/ENOENT/)
})

async function startService(port: number): Promise<{ process: ChildProcess; welcome: string }> {
  const service = spawnService({ PORT: String(port) })
  let welcome = ''
  for await (const chunk of service.stdout.setEncoding('utf8')) {
    welcome += chunk
    if (welcome.includes('/api/normalize')) break
  }
  expect(welcome).toContain('/api/normalize')
  return { process: service, welcome }
}

function spawnService(environment: Record<string, string>) {
  const serve = new URL('../src/serve.ts', import.meta.url).pathname
  const service = spawn(process.execPath, [serve], {
    env: { PATH: process.env['PATH'], DATA_DIR: directory, LOG_LEVEL: 'fatal', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  services.push(service)
  return service
}

async function post(port: number, path: string, body: unknown): Promise<Response> {
  return fetch(`http://localhost:${port}${path}`, jsonPost(body))
}

async function postmasterPid(): Promise<number> {
  const lines = await readFile(join(directory, 'postgresql', 'postmaster.pid'), 'utf8')
  return Number(lines.split('\n')[0])
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const port = portOf(server)
  server.close()
  await once(server, 'close')
  return port
}

function portOf(server: ReturnType<typeof createServer>): number {
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no address')
  return address.port
}
