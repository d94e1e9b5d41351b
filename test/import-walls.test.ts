import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = path.join(import.meta.dirname, '..')
const oxlint = path.join(
  path.dirname(createRequire(import.meta.url).resolve('oxlint/package.json')),
  'bin/oxlint',
)
let house: string

beforeAll(async () => {
  house = await mkdtemp(path.join(tmpdir(), 'walls-'))
  await cp(path.join(root, '.oxlintrc.json'), path.join(house, '.oxlintrc.json'))
})
afterAll(() => rm(house, { recursive: true }))

const violations = [
  ['contracts/src/schema/planted.ts', '@ts-rest/core', 'imports zod and its siblings only'],
  ['contracts/src/endpoint/planted.ts', 'express', 'An endpoint imports'],
  ['contracts/src/call/planted.ts', 'node:fs', 'A call imports endpoints'],
  ['apps/normalizer/src/pdf/planted.ts', 'node:http', 'no HTTP, no database'],
  ['apps/normalizer/src/stages/planted.ts', 'pdf-lib', 'draws PDF itself'],
  ['apps/normalizer/src/planted.ts', 'pg', 'no HTTP, no database'],
  ['apps/api/src/submission/planted.ts', 'express', 'neither HTTP nor RPC'],
  ['apps/api/src/api-key/planted.ts', '../http/app.ts', 'it never calls them'],
  ['apps/api/src/http/routes/planted.ts', '../../job/queues.ts', 'never use each other'],
  ['apps/api/src/rpc/planted.ts', '../http/app.ts', 'never use each other'],
  ['apps/api/src/job/planted.ts', '../rpc/rpc.ts', 'never use each other'],
  ['apps/portal/src/team/planted.ts', '@pdfnorm/api/rpc/portal-rpc', 'by their type alone'],
  ['apps/portal/src/planted.ts', 'node:fs', 'runs in a browser'],
  ['sdk/src/planted.ts', '@pdfnorm/contracts/schema/problem', 'nothing of the workspace'],
] as const

test.for(violations)('%s may not import %s', async ([file, imported, message]) => {
  const planted = path.join(house, file)
  await mkdir(path.dirname(planted), { recursive: true })
  await writeFile(planted, `import { thing } from '${imported}'\nexport const used = thing\n`)

  const { stdout } = await promisify(execFile)(process.execPath, [oxlint, planted], {
    cwd: house,
  }).catch((error: { stdout: string }) => error)

  expect(stdout).toContain('no-restricted-imports')
  expect(stdout).toContain(message)
  await rm(planted)
})
