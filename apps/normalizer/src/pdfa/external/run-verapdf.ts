import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Flavour } from '../flavour.ts'
import type { VerapdfChoice } from '../pdfa-settings.ts'
import { maxReportBytes, VerapdfUnavailable } from './verapdf-unavailable.ts'

type ProgramChoice = Extract<VerapdfChoice, { kind: 'verapdf-cli' }>

/**
 * The report of the program `verapdf` about a file, which it gets in a folder that only this user can look into.
 *
 * @throws {VerapdfUnavailable}
 */
export async function runVerapdf(
  bytes: Uint8Array,
  flavour: Flavour,
  choice: ProgramChoice,
): Promise<string> {
  const folder = await mkdtemp(join(choice.environment['TMPDIR'] ?? tmpdir(), 'pdfnorm-verapdf-'))
  try {
    const file = join(folder, 'document.pdf')
    await writeFile(file, bytes, { mode: 0o600, flag: 'wx' })
    return await reportOf(folder, [...options, '--flavour', flavour, file], choice)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function reportOf(
  folder: string,
  programArguments: readonly string[],
  { executable, environment, timeoutMs }: ProgramChoice,
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const child = spawn('/bin/sh', ['-c', watched, folder, executable, ...programArguments], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: environment,
    // A group of its own, so that the Java machine ends with the script that starts it.
    detached: true,
  })
  const giveUp = (reason: string): void => {
    reject(new VerapdfUnavailable(reason))
    killGroup(child)
  }
  const timer = setTimeout(() => giveUp(`it took more than ${timeoutMs} ms`), timeoutMs)
  const pieces: Buffer[] = []
  let length = 0
  child.stdout.on('data', (piece: Buffer) => {
    length += piece.length
    if (length > maxReportBytes) giveUp('its answer is too long')
    else pieces.push(piece)
  })
  child.once('error', ({ code }: NodeJS.ErrnoException) => {
    clearTimeout(timer)
    reject(new VerapdfUnavailable(`the program cannot be started (${code ?? 'unknown'})`))
  })
  child.once('close', (code, signal) => {
    clearTimeout(timer)
    child.stdin.destroy()
    // It says by its exit code what it says in the report, too.
    if (length > 0) resolve(Buffer.concat(pieces).toString('utf8'))
    else reject(new VerapdfUnavailable(endWithoutReport(code, signal)))
  })
  return promise
}

/**
 * Replaces itself by the program. Its standard input is held open by this process: when that ends, by whatever signal, a
 * watcher in the same group removes the folder (`$0`) and ends the program with all that it started. Everything else that
 * it inherits it lets go of, so that the program's output ends with the program.
 */
const watched = `
  exec 3<&0
  (while read -r _ <&3; do :; done; rm -rf -- "$0"; kill -KILL 0) </dev/null >/dev/null 2>&1 &
  exec "$@" </dev/null 3<&-`

/** As shells tell of what is not there, and of what is no program. */
const notFound = 127
const notExecutable = 126

function endWithoutReport(code: number | null, signal: NodeJS.Signals | null): string {
  if (code === notFound) return 'the program is not there'
  if (code === notExecutable) return 'the program cannot be started'
  return `it ended with ${signal ?? `exit code ${code}`}`
}

/** One place for each rule: the others are not told. Nothing is logged, for nobody reads it. */
const options = ['--format', 'json', '--maxfailuresdisplayed', '1', '--loglevel', '0']

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has just ended.
  }
}
