import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

/** What a run of the command line gave. */
export interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface CommandLineOptions {
  readonly folder: string
  readonly environment?: Readonly<Record<string, string>>
  readonly input?: string | Uint8Array
  /** Called when it has begun, with a way to send it a signal. */
  readonly onStart?: (kill: (signal: NodeJS.Signals) => void) => void
}

/** Sources are stripped of their types once, not at every run. */
const cache = join(tmpdir(), 'pdfnorm-compile-cache')

/** Runs `pdfnorm …` in a folder that is also its home: nothing of this machine's user is read or written. */
export async function pdfnorm(
  args: readonly string[],
  { folder, environment = {}, input = '', onStart }: CommandLineOptions,
): Promise<Finished> {
  const program = join(import.meta.dirname, '../src/cli.ts')
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, NODE_COMPILE_CACHE: cache, ...environment },
  })
  onStart?.((signal) => void child.kill(signal))
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code, stdout, stderr }
}
