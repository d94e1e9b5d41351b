/** Lines with columns under each other; numbers to the right. The first row is the heading. */
export function table(rows: readonly (readonly (string | number)[])[]): string {
  const [heading = []] = rows
  const widths = heading.map((_, column) =>
    Math.max(...rows.map((row) => String(row[column] ?? '').length)),
  )
  const line = (row: readonly (string | number)[]): string =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0
        return typeof cell === 'number' ? String(cell).padStart(width) : cell.padEnd(width)
      })
      .join('  ')
      .trimEnd()
  const rule = widths.map((width) => '─'.repeat(width)).join('  ')
  return [line(heading), rule, ...rows.slice(1).map(line)].join('\n')
}
