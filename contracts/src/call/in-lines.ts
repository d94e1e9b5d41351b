/** Beyond this many characters an object stands in several lines. */
const longestLine = 60

/**
 * An object in one line, or with a line for each entry where it would be long.
 *
 * @param step the indentation of one step
 * @param depth how many steps the line is indented in which the object begins
 */
export function inLines(
  [open, close]: readonly [open: string, close: string],
  entries: readonly string[],
  step: string,
  depth: number,
): string {
  const line = `${open}${entries.join(', ')}${close}`
  if (line.length <= longestLine || entries.length < 2) return line
  const lines = entries.map((entry) => `${step.repeat(depth + 1)}${entry},\n`)
  return `${open.trim()}\n${lines.join('')}${step.repeat(depth)}${close.trim()}`
}
