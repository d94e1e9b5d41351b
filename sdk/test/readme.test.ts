import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { readmeSnippets } from './readme-snippets.ts'

const sdk = resolve(import.meta.dirname, '..')

/** What snippets take from around them. */
const surroundings = `
declare const Pdfnorm: typeof import('@pdfnorm/sdk').Pdfnorm
declare const pdfnorm: import('@pdfnorm/sdk').Pdfnorm
declare const headers: Headers
declare const myFetch: typeof fetch
declare const batchId: string, secret: string, previousSecret: string, rawBody: string
declare const certificate: string, attestation: string, traceparent: string
`

test('every snippet of the README compiles strictly', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pdfnorm-readme-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const snippets = await readmeSnippets()
  await writeFile(join(folder, 'surroundings.d.ts'), surroundings)
  for (const [number, snippet] of snippets.entries()) {
    await writeFile(join(folder, `snippet-${number}.mts`), `${snippet}\nexport {}\n`)
  }
  const compilerOptions = {
    typeRoots: [join(sdk, '../node_modules/@types')],
    // Whose settings are as most people's are.
    noPropertyAccessFromIndexSignature: false,
    paths: {
      '@pdfnorm/sdk': [join(sdk, 'src/index.ts')],
      '@pdfnorm/sdk/*': [join(sdk, 'src/*.ts')],
    },
  }
  const extended = join(sdk, 'tsconfig.json')
  const config = { extends: extended, compilerOptions, include: ['*.ts', '*.mts'] }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))

  const compiler = join(sdk, '../node_modules/.bin/tsc')
  const faults = await promisify(execFile)(compiler, ['-p', folder]).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  )
  expect(faults).toBe('')
  expect(snippets.length).toBeGreaterThan(5)
})
