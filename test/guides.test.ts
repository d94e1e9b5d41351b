import { spawnSync } from 'node:child_process'
import { openAsBlob } from 'node:fs'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pdfaDocument } from '../apps/normalizer/test/fixture/pdfa-document.ts'
import { sourcePages } from '../docs/site/source-pages.ts'
import { installPackedPackage, type PackedPackage } from '../sdk/test/packed-package.ts'
import { writeDocument } from './first-document.ts'
import { GuideReader } from './guide-reader.ts'
import {
  callsWith,
  endingCalls,
  harmlessCalls,
  runCurl,
  runPython,
  runTypescript,
} from './run-calls.ts'
import { type Snippet, snippetsOf } from './guide-snippets.ts'
import { freePort, type StartedService, startService } from './started-service.ts'

const root = path.join(import.meta.dirname, '..')
const docs = path.join(root, 'docs')

let client: PackedPackage
let service: StartedService
let reader: GuideReader

beforeAll(async () => {
  client = await installPackedPackage()
  await writeDocument(path.join(client.folder, 'in.pdf'))
  await writeFile(path.join(client.folder, 'archive.pdf'), pdfaDocument('2b'))
  await mkdir(path.join(client.folder, 'scans'))
  await writeDocument(path.join(client.folder, 'scans/first.pdf'))
  // Who has the service has its command line.
  const commandLine = 'node_modules/.bin/pdfnorm-normalize'
  await symlink(path.join(root, commandLine), path.join(client.folder, commandLine))
  // Receivers of webhooks are on the reader's own machine.
  service = await startService(client.folder, { WEBHOOK_ALLOW_PRIVATE: 'true' })
  reader = new GuideReader(client.folder, {
    'http://localhost:3000': service.address,
    '4000': String(await freePort()),
  })
}, 120_000)

afterAll(async () => {
  await reader[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
  await client[Symbol.asyncDispose]()
})

const isThere = (tool: string) => spawnSync(tool, ['--version']).error === undefined
const hasTools = ['bash', 'curl', 'openssl', 'sha256sum'].every(isThere)
const hasPython = isThere('python3')
const leftOut = hasPython ? '' : ', but for its Python: there is no python3'

/** The first one makes the key that the others use. */
const inOrder = [
  'guides/first-pdf',
  'README',
  'guides/idempotency',
  'guides/errors',
  'guides/batches',
  'guides/webhooks',
  'guides/verifying',
  'guides/pdfa',
  'guides/limits',
  'guides/accounts',
  'guides/clients',
]

test.skipIf(!hasTools).for(inOrder)(
  `%s works as it says${leftOut} (needs curl and openssl)`,
  { timeout: 60_000 },
  async (name) => {
    const snippets = snippetsOf(await readFile(path.join(docs, `${name}.md`), 'utf8'))
    expect(snippets.length).toBeGreaterThan(0)
    for (const snippet of hasPython ? snippets : withoutPython(snippets)) {
      await reader.follow(snippet)
    }
    await reader.closeTerminal()
  },
)

const generatedClient = '`npm run clients` runs the generators, which come from their registries'
const needsContainers = 'it needs an engine for containers'

/** Why a command of a page is not run by any test. */
const onlyShown: Readonly<Record<string, string>> = {
  'npm ci && npm start': 'it starts what all the others are run against',
  'pip install openapi-python-client==0.29.1': generatedClient,
  'go install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2': generatedClient,
  'openapi-generator-cli generate --generator-name java --library native --input-spec openapi.json --output pdfnorm-client':
    generatedClient,
  'createuser owner && createuser --no-login pdfnorm_app': 'it needs a second server of PostgreSQL',
  'docker compose exec -T database pg_dump --username pdfnorm --format=custom pdfnorm > pdfnorm.dump':
    needsContainers,
  'docker compose run --rm -T buckets tar -C /srv -x < storage.tar': needsContainers,
  'docker build --tag pdfnorm .': needsContainers,
  'cp deploy/compose.env.example .env && chmod 600 .env      # and fill it in': needsContainers,
  'kubectl create namespace pdfnorm': needsContainers,
}

test('no command of a page is only shown without a reason', async () => {
  const shown: string[] = []
  for (const page of await sourcePages()) {
    const blocks = (await readFile(page, 'utf8')).matchAll(/^```console\n(.*)$/gm)
    for (const [, first = ''] of blocks) shown.push(first)
  }
  expect(new Set(shown)).toEqual(new Set(Object.keys(onlyShown)))
})

test('no page has code that nothing runs', async () => {
  const read = new Set(inOrder.map((name) => path.join(docs, `${name}.md`)))
  for (const page of await sourcePages()) {
    if (read.has(page)) continue
    const languages = [...(await readFile(page, 'utf8')).matchAll(/^```(\w+)/gm)]
    const run = languages.filter(([, language = '']) => ['sh', 'ts', 'py'].includes(language))
    expect({ page, run: run.length }).toEqual({ page, run: 0 })
  }
})

/** What says that a call was not one that its operation takes, or was not sent by whom it should be. */
const notTaken = new Set([
  'VALIDATION_ERROR',
  'MISSING_CREDENTIALS',
  'INVALID_API_KEY',
  'INVALID_ACCESS_TOKEN',
  'INSUFFICIENT_SCOPE',
  'INSUFFICIENT_ROLE',
  'METHOD_NOT_ALLOWED',
  'UNSUPPORTED_MEDIA_TYPE',
])

/** What only a browser has. */
const ofNobody = { REFRESH_TOKEN: 'none' }

const languages = [
  { language: 'curl', runCalls: runCurl, isInstalled: hasTools },
  { language: 'Python', runCalls: runPython, isInstalled: hasPython },
  { language: 'TypeScript', runCalls: runTypescript, isInstalled: true },
]

/** What shells, languages and forms take for something else. */
const awkward = (language: string) => `of ${language}'s "own" $(date) \\ %41 <&; ключ!`

test.skipIf(!hasTools).for(languages)(
  'calls of the portal in $language say what somebody typed, whatever it is',
  { timeout: 60_000 },
  async ({ language, runCalls, isInstalled }, { skip }) => {
    if (!isInstalled) skip(`what runs ${language} is not installed`)
    const env = await reader.variables('ACCESS_TOKEN')
    const text = awkward(language)
    const answered = await runCalls(callsWith(text, service.address), client.folder, env)
    expect(answered.map(({ status }) => status)).toEqual([200, 200])

    const keys = await fetch(`${service.address}/api/portal/api-keys`, {
      headers: { Authorization: `Bearer ${env['ACCESS_TOKEN']}` },
    })
    expect(await keys.text()).toContain(JSON.stringify(text))

    const again = new FormData()
    again.set('idempotency_key', text)
    again.set('file', await openAsBlob(path.join(client.folder, 'in.pdf')))
    const repeated = await fetch(`${service.address}/api/normalize`, {
      method: 'POST',
      headers: { 'X-Api-Key': String(env['PDFNORM_API_KEY']) },
      body: again,
    })
    expect(repeated.headers.get('idempotent-replayed')).toBe('true')
  },
)

test.skipIf(!hasTools).for(languages)(
  'every call of the reference in $language is one that the service takes',
  { timeout: 60_000 },
  async ({ language, runCalls, isInstalled }, { skip }) => {
    if (!isInstalled) skip(`what runs ${language} is not installed`)
    const env = { ...ofNobody, ...(await reader.variables('ACCESS_TOKEN')) }
    // Only the last may end everything.
    const calls =
      language === 'TypeScript' ? [...harmlessCalls(), ...endingCalls()] : harmlessCalls()
    const answered = await runCalls(calls, client.folder, env)

    expect(answered.length).toBe(calls.length)
    const odd = answered.filter(
      ({ status, code }) => status === 0 || status >= 500 || notTaken.has(code ?? ''),
    )
    expect(odd).toEqual([])
  },
)

/** Neither its files, nor what runs them, nor what they would print. */
function withoutPython(snippets: readonly Snippet[]): Snippet[] {
  let isLeftOut = false
  return snippets.filter((snippet) => {
    if (snippet.kind === 'file') return !snippet.name.endsWith('.py')
    if (snippet.kind === 'command') isLeftOut = snippet.code.includes('python3')
    return !isLeftOut
  })
}
