import { basename, dirname, extname, join, resolve } from 'node:path'
import { UsageError } from './usage-error.ts'

/** Standard input in place of an input, standard output in place of an output. */
export const standardStream = '-'

/**
 * Where the normalized file of each input is written.
 *
 * @throws {UsageError} when two would be the same file, or one of them an input
 */
export function outputPaths(
  inputs: readonly string[],
  {
    output,
    'output-dir': folder,
  }: { output?: string | undefined; 'output-dir'?: string | undefined },
): (input: string) => string {
  const byInput = new Map(
    inputs.map((input) => [input, output ?? outputBeside(input, folder)] as const),
  )
  const taken = new Map<string, string>()
  for (const [input, path] of byInput) {
    if (path === standardStream) continue
    const place = resolve(path)
    const other = taken.get(place)
    if (other !== undefined)
      throw new UsageError(`${other} and ${input} would both be written to ${path}`)
    if (byInput.has(path) || inputs.some((name) => resolve(name) === place)) {
      throw new UsageError(`${path} is an input: choose another output`)
    }
    taken.set(place, input)
  }
  return (input) => byInput.get(input) ?? standardStream
}

/** `a/in.pdf` as `a/in.normalized.pdf`, or under its own name in the folder given. */
function outputBeside(input: string, folder: string | undefined): string {
  if (input === standardStream) return folder === undefined ? input : join(folder, 'stdin.pdf')
  if (folder !== undefined) return join(folder, basename(input))
  return join(dirname(input), `${basename(input, extname(input))}.normalized.pdf`)
}
