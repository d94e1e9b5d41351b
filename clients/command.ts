import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'

/** A command that ended with another code than 0, and what it printed. */
export class CommandError extends Error {}

/**
 * Runs a command to its end.
 *
 * @param words its arguments, in groups that are read together
 * @returns what it printed
 * @throws CommandError
 */
export async function run(
  command: string,
  words: readonly (string | readonly string[])[],
  options: { cwd?: string; env?: Record<string, string> } = {},
): Promise<string> {
  const args = words.flat()
  try {
    const { stdout } = await promisify(execFile)(command, args, {
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      env: { ...process.env, ...options.env },
      maxBuffer: 64 * 1024 * 1024,
    })
    return stdout
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new CommandError(`${command} ${args.join(' ')}\n${stdout}${stderr}`.trimEnd())
  }
}

export function hasCommand(command: string): boolean {
  return spawnSync(command, ['--help'], { stdio: 'ignore' }).error === undefined
}
