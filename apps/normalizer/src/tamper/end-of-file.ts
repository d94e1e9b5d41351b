import { standsAt } from '../pdf/reading/character-set.ts'
import type { PdfFile } from '../pdf/pdf-file.ts'

/**
 * Where the file ends by its own account: just past its last `%%EOF`. null where there is none, where the last save lacks
 * its own, and where only the beginning of a linearized file is there: the `%%EOF` of its first part (ISO 32000-2, annex F)
 * is not its end.
 */
export function ownEndOfFile(file: PdfFile): number | null {
  const { bytes, endOfFile, header, linearization, sections } = file
  if (endOfFile === null || sections.some(({ offset }) => offset >= endOfFile)) return null
  const length = linearization?.dictionary.get('L')
  if (typeof length !== 'number') return endOfFile
  if (length + (header.offset ?? 0) <= bytes.length) return endOfFile
  const before = Buffer.from(bytes.subarray(Math.max(0, endOfFile - 64), endOfFile))
  return /startxref\s+0\s+%%EOF\s*$/.test(before.toString('latin1')) ? null : endOfFile
}

/**
 * Whether what stands behind this offset is a save that lost its end on its way: it stops within an object, or it has a
 * cross-reference section of its own that nothing announces.
 */
export function isBrokenOff({ bytes }: PdfFile, start: number): boolean {
  const save = Buffer.from(bytes.buffer, bytes.byteOffset + start, bytes.length - start)
  if (holdsSection(save)) return true
  const lastObject = save.lastIndexOf('obj', undefined, 'latin1')
  return lastObject >= 0 && !standsAt(save, lastObject - 3, 'end')
}

/** Whether `xref` or a cross-reference stream stands in these bytes. */
export function holdsSection(save: Buffer): boolean {
  if (save.includes('/XRef', 0, 'latin1')) return true
  for (
    let at = save.indexOf('xref', 0, 'latin1');
    at >= 0;
    at = save.indexOf('xref', at + 4, 'latin1')
  ) {
    if (!standsAt(save, at - 5, 'start')) return true
  }
  return false
}
