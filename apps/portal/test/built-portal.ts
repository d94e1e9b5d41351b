import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The tests use the portal as it is served: built. */
// oxlint-disable-next-line import/no-default-export -- vitest calls the default export
export default function setup(): void {
  const build = fileURLToPath(new URL('../build/build.ts', import.meta.url))
  // A process of its own: this one is set up for tests, and would build for development.
  execFileSync(process.execPath, [build], { stdio: 'inherit' })
}
