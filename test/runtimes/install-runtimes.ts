import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const folder = import.meta.dirname

/** Where the program of a runtime is; null when this machine does not have it. */
export function runtimeProgram(name: string): string | null {
  const program = join(folder, 'node_modules/.bin', name)
  return existsSync(program) ? program : null
}

/**
 * Installs the runtimes on which the client is tried out, before the first test and once. They are half a gigabyte
 * that nobody needs who only starts the service; without a registry the tests of the missing ones are skipped.
 */
// oxlint-disable-next-line import/no-default-export -- vitest calls the default export
export default function installRuntimes(): void {
  if (existsSync(join(folder, 'node_modules'))) return
  try {
    execFileSync('npm', ['install', '--no-package-lock'], { cwd: folder, stdio: 'ignore' })
  } catch {
    process.stderr.write(`The runtimes of ${folder} could not be installed.\n`)
  }
}
