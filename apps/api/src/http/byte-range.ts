import type { Request } from 'express'
import type { ByteRange } from '../artifact/file-driver.ts'

/**
 * The one range of bytes that a request asks for (RFC 9110, 14.2). Another method than GET, several ranges, another
 * unit, a malformed field and an If-Range with another ETag than the file's mean the whole file (13.1.5 and 14.2),
 * which null stands for.
 *
 * @param file its strong ETag, with its quotation marks
 */
export function requestedRange(
  req: Request,
  { etag, sizeBytes }: { etag: string; sizeBytes: number },
): ByteRange | 'unsatisfiable' | null {
  if (req.method !== 'GET') return null
  const ifRange = req.get('if-range')
  if (ifRange !== undefined && ifRange !== etag) return null

  const ranges = req.range(sizeBytes, { combine: true })
  if (ranges === -1) return 'unsatisfiable'
  if (ranges === undefined || ranges === -2) return null
  const [range] = ranges
  if (ranges.type !== 'bytes' || ranges.length !== 1 || range === undefined) return null
  return { first: range.start, last: range.end }
}
