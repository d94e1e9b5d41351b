import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Runs a command to its end; rejects when it cannot be started or does not end with 0. */
export const run = promisify(execFile)

/** The oracle for signatures, where it is installed. */
export const hasOpenssl = await run('openssl', ['version']).then(
  () => true,
  () => false,
)
