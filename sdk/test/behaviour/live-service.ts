import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** The service as `npm start` runs it, with its own database, and a key of an organization. */
export interface LiveService extends AsyncDisposable {
  readonly baseUrl: string
  readonly apiKey: string
  /** Calls an endpoint as the owner of the organization. */
  readonly asOwner: (path: string, init?: RequestInit) => Promise<Response>
}

const root = resolve(import.meta.dirname, '../../..')

/** @param corsOrigin a page from there may call the service */
export async function startLiveService(port: number, corsOrigin: string): Promise<LiveService> {
  const folder = await mkdtemp(join(tmpdir(), 'pdfnorm-live-'))
  const service = fork(join(root, 'apps/api/src/serve.ts'), {
    cwd: folder,
    // Not the settings of the test run itself.
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      LOG_LEVEL: 'warn',
      RATE_LIMITS: 'off',
      CORS_ORIGINS: corsOrigin,
      WEBHOOK_ALLOW_PRIVATE: 'true',
      WORKER_CONCURRENCY: '1',
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  // What it prints first is where it is.
  await Promise.race([once(service.stdout ?? service, 'data'), ended(service)])
  const baseUrl = `http://127.0.0.1:${port}`
  const asOwner = await signUp(baseUrl)
  const key = await asOwner(
    '/api/portal/api-keys',
    json({ name: 'sdk', scopes: ['normalize', 'read'] }),
  )
  const { fullKey }: { fullKey: string } = await key.json()
  return {
    baseUrl,
    apiKey: fullKey,
    asOwner,
    async [Symbol.asyncDispose]() {
      const exit = once(service, 'exit')
      if (service.exitCode === null) {
        service.kill('SIGTERM')
        await exit
      }
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function signUp(baseUrl: string): Promise<LiveService['asOwner']> {
  const credentials = { email: 'ada@example.com', password: 'correct horse battery staple' }
  const organization = {
    orgName: 'Acme',
    orgSlug: 'acme',
    ownerEmail: credentials.email,
    ownerPassword: credentials.password,
  }
  await fetch(`${baseUrl}/api/auth/register`, json(organization))
  const login = await fetch(`${baseUrl}/api/auth/login`, json(credentials))
  const { access_token: token }: { access_token: string } = await login.json()
  return (path, init = {}) => {
    const headers = new Headers(init.headers)
    headers.set('Authorization', `Bearer ${token}`)
    return fetch(baseUrl + path, { ...init, headers })
  }
}

function json(body: unknown): RequestInit {
  return {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  }
}

async function ended(service: ChildProcess): Promise<never> {
  await once(service, 'exit')
  throw new Error('the service did not start')
}
