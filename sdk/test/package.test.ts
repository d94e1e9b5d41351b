import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '..')

interface Manifest {
  readonly name: string
  readonly dependencies?: object
  readonly sideEffects?: boolean
}

beforeAll(async () => {
  // Its last step is publint, strict.
  await run('npm', ['run', 'build'], { cwd: root })
}, 60_000)

test('the package needs no other package', async () => {
  const manifest: Manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  expect(manifest.dependencies).toBeUndefined()
  for (const file of ['index.js', 'index.cjs', 'index.d.ts', 'index.d.cts']) {
    const text = await readFile(join(root, 'dist', file), 'utf8')
    expect(text).not.toMatch(/from ['"]|require\(|import\(|zod|ts-rest/)
  }
})

test.each([
  [
    'an ES module',
    'module',
    `import * as sdk from '@pdfnorm/sdk'; console.log(Object.keys(sdk).sort().join())`,
  ],
  ['CommonJS', 'commonjs', `console.log(Object.keys(require('@pdfnorm/sdk')).sort().join())`],
])('the built package can be loaded from %s', async (_name, type, code) => {
  const { stdout } = await run(process.execPath, [`--input-type=${type}`, '--eval', code], {
    cwd: root,
  })
  expect(stdout.trim()).toBe('Pdfnorm,PdfnormError,verifyCertificate')
})
