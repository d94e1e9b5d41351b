import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { type CharacterCodeMap, type CodeSpace, CodeTable } from './character-code-map.ts'

/**
 * The text of a character of Adobe's collections (ISO 32000-2, 9.7.3); null for other collections and for identifiers
 * that the collection does not have.
 *
 * @param ordering as `/CIDSystemInfo` has it, such as `Japan1`
 */
export function collectionText(ordering: string, identifier: number): string | null {
  return loadCollection(ordering.toLowerCase())?.texts[identifier] || null
}

/** One of the predefined CMaps (9.7.5.2), Identity excepted; null if the name is none of theirs. */
export function predefinedMap(name: string): CharacterCodeMap | null {
  const known = maps.get(name)
  if (known !== undefined) return known
  const collection = collectionOf(name)
  const line = collection === null ? undefined : loadCollection(collection)?.encodings.get(name)
  const map = line === undefined ? null : readLine(line)
  // Only names that there are: others would fill the memory.
  if (map) maps.set(name, map)
  return map
}

interface Collection {
  /** By identifier. */
  readonly texts: readonly string[]
  /** A line for each, as generate/character-collections.ts writes it. */
  readonly encodings: ReadonlyMap<string, string>
}

const collections = new Map<string, Collection>()
const maps = new Map<string, CharacterCodeMap>()
const names = new Set(['japan1', 'gb1', 'cns1', 'korea1', 'kr'])

/** Costs some milliseconds when a document first asks for the collection. */
function loadCollection(name: string): Collection | null {
  if (!names.has(name)) return null
  const known = collections.get(name)
  if (known) return known
  const packed = readFileSync(new URL(`./data/${name}.br`, import.meta.url))
  const [texts = '', ...lines] = brotliDecompressSync(packed).toString('utf8').split('\n')
  const collection = {
    texts: texts.split('\t'),
    encodings: new Map(lines.map((line) => [line.slice(0, line.indexOf('\t')), line])),
  }
  collections.set(name, collection)
  return collection
}

/** Told by the name, so that no collection is loaded to find that it lacks the name. */
function collectionOf(name: string): string | null {
  if (!/^[0-9A-Za-z]+(-[0-9A-Za-z]+)*$/.test(name)) return null
  if (/^(GB|UniGB)/.test(name)) return 'gb1'
  if (/^(KSC|UniKS)/.test(name)) return 'korea1'
  if (name.startsWith('UniAKR')) return 'kr'
  if (/^(B5|CNS|ET|HK|UniCNS)/.test(name)) return 'cns1'
  return /^(78|83|90|Add|EUC|Ext|NWP|RKSJ|UniJIS|[HV]$)/.test(name) ? 'japan1' : null
}

function readLine(line: string): CharacterCodeMap {
  const [, basedOn = '', writing, spaces = '', ranges = ''] = line.split('\t')
  const codeSpaces: CodeSpace[] = []
  for (const [bytes = 1, low = 0, high = 0] of numbersIn(spaces)) {
    codeSpaces.push({ bytes, low, high })
  }
  const identifiers = new CodeTable<number>()
  let code = 0
  let identifier = 0
  for (const [gap = 0, length = 0, step = 0] of numbersIn(ranges)) {
    identifiers.addRange(code + gap, code + gap + length, identifier + step)
    code += gap + length
    identifier += step + length
  }
  return {
    codeSpaces,
    identifiers,
    texts: new CodeTable(),
    isVertical: writing === 'V',
    writingMode: writing === 'V' ? 1 : 0,
    basedOn: basedOn || null,
  }
}

function numbersIn(list: string): number[][] {
  if (list === '') return []
  return list.split(' ').map((item) => item.split(',').map((digits) => Number.parseInt(digits, 36)))
}
