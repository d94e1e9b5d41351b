import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeDocument } from './first-document.ts'
import { type StartedService, startService } from './started-service.ts'

const root = path.join(import.meta.dirname, '..')
let folder: string
let service: StartedService

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'pdfnorm-readme-'))
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  await writeDocument(path.join(folder, 'in.pdf'))
  service = await startService(folder)
}, 60_000)

afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

test('the first PDF on the command line', async () => {
  const [command = ''] = await snippetsOf('Your first PDF')

  await run(command)

  expect(await readFile(path.join(folder, 'out.pdf'), 'latin1')).toMatch(/^%PDF-/)
}, 60_000)

const hasTools = ['curl', 'openssl', 'sha256sum'].every(
  (tool) => spawnSync(tool, ['--version']).error === undefined,
)

test.skipIf(!hasTools)(
  'the first PDF over HTTP, and its certificate verified without us (needs curl and openssl)',
  async () => {
    const [, , overHttp = ''] = await snippetsOf('Your first PDF')
    const verification = await snippetsOf('Verify a certificate without us')

    const printed = await run(
      [overHttp.replace('http://localhost:3000', service.address), ...verification].join('\n'),
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
