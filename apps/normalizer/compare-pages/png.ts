import { crc32, deflateSync } from 'node:zlib'
import type { PagePicture } from './page-renderer.ts'

/** The picture as a PNG file (ISO/IEC 15948): eight bits a colour, no alpha, no filters. */
export function pngOf({ width, height, pixels }: PagePicture): Uint8Array {
  const rowBytes = 1 + width * 3
  const rows = Buffer.alloc(rowBytes * height)
  for (let index = 0; index < width * height; index++) {
    const to = Math.floor(index / width) * rowBytes + 1 + (index % width) * 3
    rows[to] = pixels[index * 4 + 2] ?? 0
    rows[to + 1] = pixels[index * 4 + 1] ?? 0
    rows[to + 2] = pixels[index * 4] ?? 0
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}
