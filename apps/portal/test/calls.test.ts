import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { apiKeys } from '@pdfnorm/contracts/endpoint/api-keys'
import { artifacts } from '@pdfnorm/contracts/endpoint/artifacts'
import { normalize } from '@pdfnorm/contracts/endpoint/normalize'
import { webhooks } from '@pdfnorm/contracts/endpoint/webhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { registerTestOrganization } from '../../api/test/organization.ts'
import { pdf } from '../../api/test/pdf.ts'
import { startTestServer, type TestServer } from '../../api/test/server.ts'
import type { Call } from '../src/calls/call.ts'
import { curlCall } from '../src/calls/curl-call.ts'
import { pythonCall } from '../src/calls/python-call.ts'
import { typescriptCall } from '../src/calls/typescript-call.ts'

const run = promisify(execFile)
const hasCurl = spawnSync('curl', ['--version']).status === 0
const hasRequests = spawnSync('python3', ['-c', 'import requests']).status === 0

let server: TestServer
let folder: string
let environment: Record<string, string>
beforeAll(async () => {
  server = await startTestServer()
  folder = await mkdtemp(join(tmpdir(), 'pdfnorm-calls-'))
  await writeFile(join(folder, 'in.pdf'), pdf({ text: 'called' }))
  const organization = await registerTestOrganization(server)
  const { fullKey } = await organization.createKey()
  environment = {
    PATH: process.env['PATH'] ?? '',
    PDFNORM_API_KEY: fullKey,
    ACCESS_TOKEN: organization.accessToken,
  }
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const languages = [
  {
    name: 'curl',
    isThere: hasCurl,
    call: async (call: Call) => program('sh', ['-c', curlCall(call, server.url)]),
  },
  {
    name: 'TypeScript',
    isThere: true,
    call: async (call: Call) => {
      const file = join(folder, 'call.mts')
      await writeFile(file, typescriptCall(call, server.url))
      return program(process.execPath, [file])
    },
  },
  {
    name: 'Python',
    isThere: hasRequests,
    call: async (call: Call) => program('python3', ['-c', pythonCall(call, server.url)]),
  },
]

describe.each(languages)('the calls of the pages in $name', ({ name, isThere, call }) => {
  test.skipIf(!isThere)(
    `do what they say, also with awkward texts (needs ${name === 'Python' ? 'Python with requests' : name})`,
    async () => {
      const normalized = await call({
        endpoint: normalize.normalizePdf,
        body: { linearize: false, idempotency_key: `it's "${name}" & $HOME \\ é` },
      })
      const [, hash = ''] = /['"]?normalized['"]?: ?\{\s*['"]?sha256['"]?: ?['"](\w{64})/.exec(
        normalized,
      ) ?? ['']
      expect(hash).toHaveLength(64)

      await call({ endpoint: artifacts.downloadArtifact, path: { hash } })
      expect(await readFile(join(folder, 'normalized.pdf'), 'latin1')).toMatch(/^%PDF-/)

      const awkward = `of ${name}'s "own" $(date) \\ ключ`
      const created = await call({
        endpoint: apiKeys.createApiKey,
        body: { name: awkward, scopes: ['read'], expiresAt: null },
      })
      const [, id = ''] = /['"]?id['"]?: ?['"]([0-9a-f-]{36})/.exec(created) ?? ['']
      await call({ endpoint: apiKeys.revokeApiKey, path: { id } })
      const kept = await server.database.query<{ name: string }>(
        'select name from api_key where id = $1 and revoked_at is not null',
        [id],
      )
      expect(kept).toEqual([{ name: awkward }])

      const dead = { endpoint: webhooks.listDeadLetters, query: { page: 1, page_size: 5 } }
      expect((await call(dead)).trim()).toBe('[]')
    },
  )
})

async function program(path: string, args: string[]): Promise<string> {
  const { stdout } = await run(path, args, { cwd: folder, env: environment })
  return stdout
}
