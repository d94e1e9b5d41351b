/** A counter on a terminal; nothing where the output is a file or a pipe. */
export function progressOf(total: number): { step(): void; end(): void } {
  if (!process.stderr.isTTY) return { step: () => {}, end: () => {} }
  let done = 0
  return {
    step: () => process.stderr.write(`\r${++done} of ${total}`),
    end: () => process.stderr.write('\n'),
  }
}
