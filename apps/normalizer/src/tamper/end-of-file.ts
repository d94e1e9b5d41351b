import type { PdfFile } from '../pdf/pdf-file.ts'

/**
 * Where the file ends by its own account: just past its last `%%EOF`. null where there is none, and where only the
 * beginning of a linearized file is there: the `%%EOF` of its first part (ISO 32000-2, annex F) is not its end.
 */
export function ownEndOfFile({ bytes, endOfFile, header, linearization }: PdfFile): number | null {
  const length = linearization?.dictionary.get('L')
  if (endOfFile === null || typeof length !== 'number') return endOfFile
  if (length + (header.offset ?? 0) <= bytes.length) return endOfFile
  const before = Buffer.from(bytes.subarray(Math.max(0, endOfFile - 64), endOfFile))
  return /startxref\s+0\s+%%EOF\s*$/.test(before.toString('latin1')) ? null : endOfFile
}
