import type { StreamContent } from './file-sink.ts'
import { GrowingBytes } from './growing-bytes.ts'
import type { SpelledObjects } from './spelled-objects.ts'
import { deflate } from './written-stream.ts'

/** Members of one object stream: more compress better, fewer are quicker to reach for a lazy reader. */
const membersPerObjectStream = 100

/** Parts a list into runs of even length, none longer than an object stream takes. */
export function evenRuns<T>(items: readonly T[]): T[][] {
  const runs = Math.ceil(items.length / membersPerObjectStream)
  const longest = Math.ceil(items.length / Math.max(runs, 1))
  return Array.from({ length: runs }, (_, run) => items.slice(run * longest, (run + 1) * longest))
}

/**
 * An object stream (ISO 32000-2, 7.5.7).
 *
 * @param members indexes of the objects
 * @param numbers of the objects, by index
 */
export function objectStream(
  objects: SpelledObjects,
  members: readonly number[],
  numbers: Int32Array,
): StreamContent {
  const lengths = members.map((member) => objects.lengthOf(member, numbers))
  const content = new GrowingBytes(lengths.reduce((sum, length) => sum + length + 16, 0))
  let offset = 0
  for (const [place, member] of members.entries()) {
    if (place > 0) content.byte(space)
    content.decimal(numbers[member] ?? 0)
    content.byte(space)
    content.decimal(offset)
    offset += (lengths[place] ?? 0) + 1
  }
  content.byte(newLine)
  const first = content.length
  for (const [place, member] of members.entries()) {
    if (place > 0) content.byte(newLine)
    objects.write(member, numbers, content)
  }

  const deflated = deflate(content.written)
  const data = deflated ?? content.written.slice()
  const filter = deflated ? '/Filter/FlateDecode' : ''
  const text = `<<${filter}/First ${first}/Length ${data.length}/N ${members.length}/Type/ObjStm>>`
  return { text, data }
}

const space = 0x20
const newLine = 0x0a
