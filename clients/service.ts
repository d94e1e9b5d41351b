import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'

const entry = join(import.meta.dirname, '../apps/api/src/serve.ts')

/** Starts the whole service with its data in `folder`. */
export async function startService(
  folder: string,
): Promise<{ address: string; process: ChildProcess }> {
  const port = await freePort()
  const service = fork(entry, {
    cwd: folder,
    // Every client registers; from one address three may do so in an hour.
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      LOG_LEVEL: 'warn',
      RATE_LIMITS: 'off',
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const ended = once(service, 'exit').then(() => {
    throw new Error('the service did not start')
  })
  // What it prints first is where it is.
  await Promise.race([once(service.stdout ?? service, 'data'), ended])
  ended.catch(() => undefined)
  return { address: `http://localhost:${port}`, process: service }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
