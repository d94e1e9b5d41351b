import { execFile } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installPackedPackage, manifestOf, type PackedPackage } from './packed-package.ts'

const run = promisify(execFile)
const repository = resolve(import.meta.dirname, '../..')
let installed: PackedPackage

beforeAll(async () => {
  installed = await installPackedPackage()
})

afterAll(() => installed[Symbol.asyncDispose]())

test('the package is at most 60 files and 200 kB, and needs no other package', async () => {
  expect(installed.files).toBeLessThanOrEqual(60)
  expect(installed.unpackedBytes).toBeLessThanOrEqual(200_000)
  const manifest = await manifestOf(installed)
  expect(manifest).not.toHaveProperty('dependencies')
  expect(manifest).not.toHaveProperty('peerDependencies')
  expect(manifest).not.toHaveProperty('optionalDependencies')
  expect(manifest.sideEffects).toBe(false)
})

test('what is shipped names nothing of the workspace, and types are plain', async () => {
  const dist = join(installed.folder, 'node_modules/@pdfnorm/sdk/dist')
  for (const file of await readdir(dist)) {
    const text = await readFile(join(dist, file), 'utf8')
    expect(text).not.toMatch(/@pdfnorm\/contracts|\bzod\b|ts-rest|\.\.\/\.\./)
  }
})

test.each([
  ['@pdfnorm/sdk', 12_000],
  ['@pdfnorm/sdk/webhooks', 2_000],
  ['@pdfnorm/sdk/express', 2_000],
  ['@pdfnorm/sdk/verify', 3_000],
])('%s as a browser loads it is at most %d bytes', async (entry, budget) => {
  const input = join(installed.folder, 'whole.js')
  await writeFile(input, `export * from '${entry}'\n`)
  // No `external`: an import that a browser does not have would fail here.
  const bundle = await rolldown({ input, platform: 'browser' })
  const { output } = await bundle.generate({ minify: true })
  await bundle.close()
  expect(output).toHaveLength(1)
  expect(gzipSync(output[0].code, { level: 9 }).length).toBeLessThanOrEqual(budget)
})

test('publint has nothing to say', async () => {
  const pkgDir = join(installed.folder, 'node_modules/@pdfnorm/sdk')
  const { messages } = await publint({ pkgDir, strict: true, pack: false })
  expect(messages).toEqual([])
})

test('the types are found and right under every way of resolving modules', async () => {
  const tarball = await readFile(installed.tarball)
  const result = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)))
  expect(result).toMatchObject({ types: { kind: 'included' }, problems: [] })
})

test.each([
  ['an ES module', 'module', "const { Pdfnorm, webhooks } = await import('@pdfnorm/sdk')"],
  ['CommonJS', 'commonjs', "const { Pdfnorm, webhooks } = require('@pdfnorm/sdk')"],
])('the installed package works in %s', async (_name, type, load) => {
  const code = `${load}
    const read = new Pdfnorm({ baseUrl: 'http://127.0.0.1:1', maxRetries: 0 }).getKeySet()
    const sign = webhooks.sign('{"event":"webhook.test"}', 'whsec_AAAA')
    Promise.allSettled([read, sign]).then(([read, sign]) => {
      console.log(read.reason.name, read.reason.code, Object.keys(sign.value.headers).length)
    })`
  const { stdout } = await run(process.execPath, [`--input-type=${type}`, '--eval', code], {
    cwd: installed.folder,
  })
  expect(stdout.trim()).toBe('ConnectionError CONNECTION_FAILED 5')
})

test("errors of every entry are the same classes as the client's", async () => {
  const code = `
    import { PdfnormError, WebhookError } from '@pdfnorm/sdk'
    import { unwrap } from '@pdfnorm/sdk/webhooks'
    import { verifyCertificate } from '@pdfnorm/sdk/verify'
    const errors = await Promise.allSettled([unwrap('', {}, 'whsec_AAAA'), verifyCertificate('', { keys: { keys: [] } })])
    console.log(errors.map(({ reason }) => reason instanceof PdfnormError), errors[0].reason instanceof WebhookError)`
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: installed.folder,
  })
  expect(stdout.trim()).toBe('[ true, true ] true')
})

const program = `
import { type CompletedSubmission, NotFoundError, Pdfnorm, PdfnormError, type WebhookEvent } from '@pdfnorm/sdk'
import { publishedKeys, verifyCertificate } from '@pdfnorm/sdk/verify'
import { unwrap } from '@pdfnorm/sdk/webhooks'

export async function normalize(pdf: Uint8Array): Promise<Blob> {
  const pdfnorm = new Pdfnorm({ baseUrl: 'https://pdfnorm.example', apiKey: 'pdfnorm_x' })
  const submission: CompletedSubmission = await pdfnorm.normalizeAndWait(pdf, { region: 'eu-central-1' })
  if (submission.status !== 'SUCCESS') throw new Error(submission.failure.message)
  const certificate = await pdfnorm.getCertificate(submission.outputHash)
  await verifyCertificate(certificate, { keys: publishedKeys('https://pdfnorm.example') })
  for await (const batch of pdfnorm.listBatches()) console.log(batch.name.length)
  return pdfnorm.downloadArtifact(submission.outputHash).blob()
}

export function tell(error: unknown): string {
  if (error instanceof NotFoundError) return error.requestId ?? ''
  return error instanceof PdfnormError && error.code === 'QUOTA_EXCEEDED' ? 'later' : 'no'
}

export async function receive(request: Request): Promise<string> {
  const event: WebhookEvent = await unwrap(await request.text(), request.headers, ['one', 'two'])
  switch (event.event) {
    case 'batch.complete':
      return event.data.name
    case 'webhook.test':
      return event.data.message
    default:
      return event.data.submissionId
  }
}
`

test.each([
  ['user.mts', 'nodenext', ['ES2022', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'], []],
  ['user.cts', 'nodenext', ['ES2022'], ['node']],
  ['user.ts', 'bundler', ['ES2022', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'], []],
])("a user's %s compiles strictly, resolved by %s", async (file, resolution, lib, types) => {
  // The package's own declarations are checked as well.
  const report = await compile(file, resolution, { lib, types, skipLibCheck: false })
  expect(report).not.toContain('error')
})

test("an editor makes at most 100 types for a user's file", async () => {
  const lib = ['ES2022', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable']
  const report = await compile('user.mts', 'nodenext', { lib, types: [], skipLibCheck: true })
  expect(Number(/^Instantiations:\s+(\d+)$/m.exec(report)?.[1])).toBeLessThanOrEqual(100)
})

async function compile(file: string, resolution: string, options: object): Promise<string> {
  const compilerOptions = {
    moduleResolution: resolution,
    module: resolution === 'bundler' ? 'preserve' : resolution,
    typeRoots: [join(repository, 'node_modules/@types')],
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    ...options,
  }
  await writeFile(join(installed.folder, file), program)
  const config = join(installed.folder, 'tsconfig.json')
  await writeFile(config, JSON.stringify({ files: [file], compilerOptions }))
  const tsc = join(repository, 'node_modules/.bin/tsc')
  const { stdout } = await run(tsc, ['-p', config, '--extendedDiagnostics']).catch(
    (error: { stdout: string }) => {
      throw new Error(error.stdout)
    },
  )
  return stdout
}
