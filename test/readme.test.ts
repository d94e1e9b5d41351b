import { type ChildProcess, execFile, fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeDocument } from './first-document.ts'

const root = path.join(import.meta.dirname, '..')
let folder: string
let service: ChildProcess
let address: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'pdfnorm-readme-'))
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  await writeDocument(path.join(folder, 'in.pdf'))
  const port = await freePort()
  address = `http://localhost:${port}`
  service = fork(path.join(root, 'apps/api/src/serve.ts'), {
    cwd: folder,
    // Not the settings of the test run itself.
    env: { PATH: process.env['PATH'], PORT: String(port), LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  // What it prints first is where it is.
  await Promise.race([once(service.stdout ?? service, 'data'), ended(service)])
}, 60_000)

afterAll(async () => {
  if (service.exitCode === null) {
    const exit = once(service, 'exit')
    service.kill('SIGTERM')
    await exit
  }
  await rm(folder, { recursive: true, force: true })
})

test('the first PDF on the command line', async () => {
  const [command = ''] = await snippetsOf('Your first PDF')

  await run(command)

  expect(await readFile(path.join(folder, 'out.pdf'), 'latin1')).toMatch(/^%PDF-/)
})

const hasTools = ['curl', 'openssl', 'sha256sum'].every(
  (tool) => spawnSync(tool, ['--version']).error === undefined,
)

test.skipIf(!hasTools)(
  'the first PDF over HTTP, and its certificate verified without us (needs curl and openssl)',
  async () => {
    const [, , overHttp = ''] = await snippetsOf('Your first PDF')
    const verification = await snippetsOf('Verify a certificate without us')

    const printed = await run(
      [overHttp.replace('http://localhost:3000', address), ...verification].join('\n'),
    )

    const hash = /"normalized":\{"sha256":"([0-9a-f]{64})"/.exec(printed)?.[1]
    expect(printed).toContain(`${hash}  normalized.pdf`)
    expect(printed).toContain(`"outputHash":"sha256:${hash}"`)
    expect(printed).toContain('"valid":true')
    expect(printed).toContain(`normalizedSha256: '${hash}'`)
    expect(printed).toMatch(/Verified OK\n$/)
  },
  60_000,
)

async function ended(process: ChildProcess): Promise<never> {
  await once(process, 'exit')
  throw new Error('the service did not start')
}

/** The shell snippets of one section, in their order. */
async function snippetsOf(section: string): Promise<string[]> {
  const readme = await readFile(path.join(root, 'README.md'), 'utf8')
  const [, text = ''] = readme.split(`## ${section}\n`)
  const [own = ''] = text.split('\n## ')
  return [...own.matchAll(/```sh\n(.*?)```/gs)].map(([, snippet = '']) => snippet)
}

async function run(script: string): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { ...process.env, PATH: `${path.dirname(process.execPath)}:${process.env['PATH']}` },
  })
  return stdout
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
