import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import path from 'node:path'

const root = path.join(import.meta.dirname, '..')

/** The service as `npm start` starts it, with what it keeps in a folder of its own. */
export interface StartedService extends AsyncDisposable {
  readonly address: string
}

/** @param settings beside a port; nothing of the environment of the test run counts */
export async function startService(
  folder: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<StartedService> {
  const port = await freePort()
  const service = fork(path.join(root, 'apps/api/src/serve.ts'), {
    cwd: folder,
    env: { PATH: process.env['PATH'], PORT: String(port), LOG_LEVEL: 'warn', ...settings },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  // What it prints first is where it is.
  await Promise.race([once(service.stdout ?? service, 'data'), ended(service)])
  return {
    address: `http://localhost:${port}`,
    async [Symbol.asyncDispose]() {
      if (service.exitCode !== null) return
      const exit = once(service, 'exit')
      service.kill('SIGTERM')
      await exit
    },
  }
}

async function ended(process: ChildProcess): Promise<never> {
  await once(process, 'exit')
  throw new Error('the service did not start')
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
