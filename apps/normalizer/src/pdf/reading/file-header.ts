import type { FileHeader } from '../pdf-file.ts'

/** `%PDF-` within the first 1,024 bytes. */
export function readHeader(bytes: Uint8Array): FileHeader {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1024 + 8))
  const offset = head.indexOf('%PDF-', 0, 'latin1')
  if (offset < 0 || offset + 5 > 1024) return { offset: null, version: null }
  const version = /^\d\.\d(?!\d)/.exec(head.toString('latin1', offset + 5, offset + 9))
  return { offset, version: version === null ? null : version[0] }
}
