import { createHash } from 'node:crypto'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const repository = fileURLToPath(new URL('../../../', import.meta.url))

/** What a built portal depends on. */
const sources = [
  'apps/portal/{index.html,package.json,vite.config.ts}',
  'apps/portal/{src,public,build}/**/*.*',
  'contracts/src/**/*.ts',
  'sdk/src/**/*.ts',
  'package-lock.json',
]

/** A hash over every file that a built portal depends on, as hexadecimal digits. */
export async function sourceStamp(): Promise<string> {
  const paths: string[] = []
  for await (const path of glob(sources, { cwd: repository })) {
    if (!path.endsWith('.test.ts')) paths.push(path)
  }
  const hash = createHash('sha256')
  for (const path of paths.sort()) {
    hash.update(path).update('\0')
    hash.update(await readFile(join(repository, path))).update('\0')
  }
  return hash.digest('hex')
}
