import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Call } from '@pdfnorm/contracts/call/call'
import { exampleCall } from '../site/reference/example-call.ts'
import { callInCurl } from '@pdfnorm/contracts/call/call-in-curl'
import { callInPython } from '@pdfnorm/contracts/call/call-in-python'
import { callInTypescript } from '@pdfnorm/contracts/call/call-in-typescript'
import { documentedOperations, isCallable } from '../site/reference/openapi-document.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')
const calls = documentedOperations().filter(isCallable).map(exampleCall)
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pdfnorm-calls-'))
})
afterAll(() => rm(folder, { recursive: true }))

test('every call in TypeScript compiles against the client', async () => {
  for (const call of calls) await write(call, 'mts', `${callInTypescript(call)}\nexport {}\n`)
  const compilerOptions = {
    typeRoots: [join(root, 'node_modules/@types')],
    // Whose settings are as most people's are.
    noPropertyAccessFromIndexSignature: false,
    paths: { '@pdfnorm/sdk': [join(root, 'sdk/src/index.ts')] },
  }
  const config = { extends: join(root, 'sdk/tsconfig.json'), compilerOptions, include: ['*.mts'] }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const faults = await run(join(root, 'node_modules/.bin/tsc'), ['-p', folder]).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  )
  expect(faults).toBe('')
}, 30_000)

const hasPython = spawnSync('python3', ['--version']).error === undefined

test.skipIf(!hasPython)('every call in Python compiles (needs python3)', async () => {
  const files = await Promise.all(calls.map((call) => write(call, 'py', callInPython(call))))
  const compiled = await run('python3', ['-m', 'py_compile', ...files])
  expect(compiled.stderr).toBe('')
})

const hasBash = spawnSync('bash', ['--version']).error === undefined

test.skipIf(!hasBash)(
  'every call in curl is a command that a shell can read (needs bash)',
  async () => {
    await writeFile(join(folder, 'all.sh'), calls.map(callInCurl).join('\n'))
    const read = await run('bash', ['-n', join(folder, 'all.sh')])
    expect(read.stderr).toBe('')
  },
)

async function write(call: Call, extension: string, code: string): Promise<string> {
  const file = join(folder, `${call.operationId}.${extension}`)
  await writeFile(file, code)
  return file
}
