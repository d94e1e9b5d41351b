import { oddNames, oddTokens } from './odd-syntax.ts'
import type { Random } from './random.ts'

/** Damages a file, given as text of one character a byte; `other` is another file to take parts from. */
type Mutation = (file: string, random: Random, other: string) => string

/** One to four mutations on top of each other. */
export function mutate(
  file: string,
  random: Random,
  other: string,
): { file: string; by: string[] } {
  const by: string[] = []
  let mutated = file
  for (let round = random.below(4); round >= 0; round--) {
    const name = random.pick(names)
    mutated = mutations[name](mutated, random, other).slice(0, maxBytes)
    by.push(name)
  }
  return { file: mutated, by }
}

/** What grows with each round stays small enough to be run often. */
const maxBytes = 2 * 1024 * 1024

const mutations = {
  'flipped bytes': (file, random) => {
    const bytes = Buffer.from(file, 'latin1')
    for (let count = random.below(16); count >= 0 && bytes.length > 0; count--) {
      const at = random.below(bytes.length)
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8))
    }
    return bytes.toString('latin1')
  },

  truncation: (file, random) =>
    random.chance(4) ? file.slice(random.below(2048)) : file.slice(0, random.below(file.length)),

  'a removed range': (file, random) => {
    const at = random.below(file.length)
    return file.slice(0, at) + file.slice(at + 1 + random.below(random.pick([8, 64, 2048])))
  },

  'a repeated range': (file, random) => {
    const at = random.below(file.length)
    const range = file.slice(at, at + 1 + random.below(random.pick([8, 64, 2048])))
    return file.slice(0, at) + range.repeat(1 + random.below(20)) + file.slice(at)
  },

  'swapped tokens': (file, random) => {
    const [first, second] = [tokenAt(file, random), tokenAt(file, random)].sort(bySpan)
    return first && second ? swap(file, first, second) : file
  },

  'a replaced token': (file, random) => {
    const token = tokenAt(file, random)
    return token ? replace(file, token, random.pick(oddTokens)) : file
  },

  'another reference': (file, random) => {
    const reference = someMatch(file, /\d+ \d+ R\b/g, random)
    const number = someMatch(file, /\d+(?= \d+ obj\b)/g, random)
    if (!reference || !number) return file
    return replace(file, reference, `${file.slice(number.start, number.end)} 0 R`)
  },

  'another key': (file, random) => {
    const key = someMatch(file, /\/[A-Za-z]{1,20}/g, random)
    return key ? replace(file, key, random.pick(oddNames)) : file
  },

  'another length': (file, random) => {
    const length = someMatch(
      file,
      /(?<=\/(?:Length|N|First|Size|Count|W|Index|Prev)[ [])\d+/g,
      random,
    )
    return length ? replace(file, length, oddNumber(file, length, random)) : file
  },

  'another offset': (file, random) => {
    const offset = someMatch(file, /\d{10}(?= \d{5} [nf])|(?<=startxref\s)\d+/g, random)
    return offset ? replace(file, offset, oddNumber(file, offset, random)) : file
  },

  'a duplicated object': (file, random) => {
    const object = someObject(file, random)
    const place = someObject(file, random)
    if (!object || !place) return file
    const copy = `\n${file.slice(object.start, object.end)}\n`
    return file.slice(0, place.start) + copy + file.slice(place.start)
  },

  'an object under another number': (file, random) => {
    const object = someObject(file, random)
    const other = someObject(file, random)
    if (!object || !other) return file
    const number = /^\d+/.exec(file.slice(other.start, other.start + 12))?.[0] ?? '1'
    return replace(file, object, file.slice(object.start, object.end).replace(/^\d+/, number))
  },

  'reordered objects': (file, random) => {
    const [first, second] = [someObject(file, random), someObject(file, random)].sort(bySpan)
    return first && second ? swap(file, first, second) : file
  },

  'a spliced file': (file, random, other) =>
    file.slice(0, random.below(file.length)) + other.slice(random.below(other.length)),

  'an object of another file': (file, random, other) => {
    const object = someObject(other, random)
    const place = someObject(file, random)
    if (!object || !place) return file
    return replace(file, place, other.slice(object.start, object.end))
  },

  'an appended update': (file, random, other) => {
    const object = someObject(random.chance(2) ? file : other, random)
    if (!object) return file
    const source = random.chance(2) ? file : other
    const update = source.slice(object.start, object.end)
    return `${file}\n${update}\nxref\n0 1\n0000000000 65535 f \ntrailer\n<< /Size 9 /Root 1 0 R >>\nstartxref\n${random.below(file.length)}\n%%EOF\n`
  },
} satisfies Record<string, Mutation>

const names = Object.keys(mutations) as (keyof typeof mutations)[]

interface Span {
  readonly start: number
  readonly end: number
}

function tokenAt(file: string, random: Random): Span | null {
  const from = random.below(file.length)
  const token = /[^\s()<>[\]{}/%]+|<<|>>|[()<>[\]{}/%]/.exec(file.slice(from, from + 4096))
  return token ? { start: from + token.index, end: from + token.index + token[0].length } : null
}

function someMatch(file: string, pattern: RegExp, random: Random): Span | null {
  const all = [...file.matchAll(pattern)]
  const match = all[random.below(all.length)]
  return match ? { start: match.index, end: match.index + match[0].length } : null
}

function someObject(file: string, random: Random): Span | null {
  const begin = someMatch(file, /\b\d{1,7} \d{1,5} obj\b/g, random)
  if (!begin) return null
  const end = file.indexOf('endobj', begin.end)
  return end < 0 ? null : { start: begin.start, end: end + 'endobj'.length }
}

function oddNumber(file: string, { start, end }: Span, random: Random): string {
  const value = Number(file.slice(start, end))
  const near = value + random.below(21) - 10
  const number = random.pick([near, 0, 1, value * 2, file.length, -1, 2 ** 31, 2 ** 32 + 7])
  return String(number).padStart(end - start, '0')
}

function replace(file: string, { start, end }: Span, by: string): string {
  return file.slice(0, start) + by + file.slice(end)
}

function swap(file: string, first: Span, second: Span): string {
  if (first.end > second.start) return file
  return (
    file.slice(0, first.start) +
    file.slice(second.start, second.end) +
    file.slice(first.end, second.start) +
    file.slice(first.start, first.end) +
    file.slice(second.end)
  )
}

function bySpan(one: Span | null, other: Span | null): number {
  return (one?.start ?? 0) - (other?.start ?? 0)
}
