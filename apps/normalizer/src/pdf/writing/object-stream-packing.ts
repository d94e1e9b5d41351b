import { deflate } from './written-stream.ts'

/** Members of one object stream: more compress better, fewer are quicker to reach for a lazy reader. */
const membersPerObjectStream = 100

/** Parts a list into runs of even length, none longer than an object stream takes. */
export function evenRuns<T>(items: readonly T[]): T[][] {
  const runs = Math.ceil(items.length / membersPerObjectStream)
  const longest = Math.ceil(items.length / Math.max(runs, 1))
  return Array.from({ length: runs }, (_, run) => items.slice(run * longest, (run + 1) * longest))
}

export interface ObjectStreamMember {
  readonly number: number
  /** Latin-1. */
  readonly text: string
}

/** An object stream (ISO 32000-2, 7.5.7): the text of its dictionary, and its data. */
export function objectStream(members: readonly ObjectStreamMember[]): {
  text: string
  data: Uint8Array
} {
  let directory = ''
  let offset = 0
  for (const { number, text } of members) {
    directory += `${directory === '' ? '' : ' '}${number} ${offset}`
    offset += text.length + 1
  }
  directory += '\n'

  const content = directory + members.map(({ text }) => text).join('\n')
  const plain = Buffer.from(content, 'latin1')
  const deflated = deflate(plain)
  const data = deflated ?? plain
  const filter = deflated ? '/Filter/FlateDecode' : ''
  const text = `<<${filter}/First ${directory.length}/Length ${data.byteLength}/N ${members.length}/Type/ObjStm>>`
  return { text, data }
}
