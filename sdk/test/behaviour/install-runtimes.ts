import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const runtimesFolder = resolve(import.meta.dirname, '../../../test/runtimes')

/**
 * Installs the runtimes on which the client is tried out, before the first test and once. They are half a gigabyte
 * that nobody needs who only starts the service; without a registry the tests of the missing ones are skipped.
 */
// oxlint-disable-next-line import/no-default-export -- vitest calls the default export
export default function installRuntimes(): void {
  if (existsSync(join(runtimesFolder, 'node_modules'))) return
  try {
    execFileSync('npm', ['install', '--no-package-lock'], { cwd: runtimesFolder, stdio: 'ignore' })
  } catch {
    process.stderr.write(`The runtimes of ${runtimesFolder} could not be installed.\n`)
  }
}
