const units = ['bytes', 'kB', 'MB', 'GB'] as const

/** A size for people; 1 MB is 1,048,576 bytes, as in the limits of the plans. */
export function sizeOf(bytes: number): string {
  let size = bytes
  let unit = 0
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024
    unit += 1
  }
  const digits = unit === 0 || size >= 100 ? 0 : 1
  return `${size.toLocaleString('en', { maximumFractionDigits: digits })} ${units[unit]}`
}
