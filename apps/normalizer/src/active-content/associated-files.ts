import { createHash } from 'node:crypto'
import { documentCatalog } from '../pdf/catalog.ts'
import { decodeStreamPartly } from '../pdf/filter/decode-stream.ts'
import {
  isName,
  PdfDictionary,
  PdfName,
  type PdfObject,
  type PdfReference,
  PdfStream,
  PdfString,
} from '../pdf/object.ts'
import type { ObjectGraph } from '../pdf/object-graph.ts'
import { ResourceLimitError } from '../pdf/reading/read-limits.ts'
import { decodeTextString } from '../pdf/text-string.ts'
import { dictionaryOf, walkDirect } from '../pdf/walk-direct.ts'
import { isHarmlessFile } from './harmless-file.ts'

/**
 * The harmless files that a document associates with itself (ISO 32000-2, 14.13; ISO 19005-3, 6.8), out of the document
 * while active content is removed from it.
 */
export class AssociatedFiles {
  readonly #graph: ObjectGraph
  readonly #files: readonly KeptFile[]
  #attached: PdfReference[] = []

  constructor(graph: ObjectGraph, files: readonly KeptFile[]) {
    this.#graph = graph
    this.#files = files
  }

  /** SHA-256 of the data of each, by which the second scan knows them again. */
  get sha256(): ReadonlySet<string> {
    return new Set(this.#files.map(({ stream }) => sha256(stream.data)))
  }

  get names(): string[] {
    return this.#files.map(({ name }) => name)
  }

  /** Puts them back: written anew, with nothing but what belongs to them. */
  attach(): void {
    const named: [PdfString, PdfReference][] = []
    for (const { specification, stream, holders, keys } of this.#files) {
      const data = this.#graph.add(stream)
      specification.set(
        'EF',
        new PdfDictionary([
          ['F', data],
          ['UF', data],
        ]),
      )
      const reference = this.#graph.add(specification)
      this.#attached.push(data, reference)
      for (const holder of holders) {
        const associated = holder.get('AF')
        holder.set('AF', [...(Array.isArray(associated) ? associated : []), reference])
      }
      for (const key of keys) named.push([key, reference])
    }
    if (named.length === 0) return
    named.sort(([one], [other]) => Buffer.compare(one.bytes, other.bytes))
    const tree = new PdfDictionary([['Names', named.flat(1)]])
    namesOf(this.#graph).set('EmbeddedFiles', tree)
  }

  /** Takes them out again. */
  detach(): void {
    for (const { holders } of this.#files) for (const holder of holders) holder.delete('AF')
    if (this.#files.some(({ keys }) => keys.length > 0)) {
      namesOf(this.#graph).delete('EmbeddedFiles')
    }
    for (const { number } of this.#attached) this.#graph.delete(number)
    this.#attached = []
  }
}

interface KeptFile {
  readonly name: string
  /** Without `/EF`. */
  readonly specification: PdfDictionary
  readonly stream: PdfStream
  /** What it is associated with. */
  readonly holders: readonly PdfDictionary[]
  /** Under which the name tree of embedded files has it. */
  readonly keys: readonly PdfString[]
}

/**
 * Takes the harmless ones out of the graph; the others stay, to be found with the rest of what is active.
 *
 * @param alsoByName files count as associated that only the name tree has, as PDF/A-4f allows
 */
export function takeAssociatedFiles(graph: ObjectGraph, alsoByName: boolean): AssociatedFiles {
  const holders = findHolders(graph)
  const tree = embeddedFilesTree(graph)
  const specifications = new Set([...holders.keys(), ...(alsoByName ? tree.values() : [])])
  const files: KeptFile[] = []
  const taken = new Map<PdfDictionary, PdfStream>()
  let bytes = 0
  for (const specification of specifications) {
    if (files.length >= maxFiles) break
    const found = judge(graph, specification)
    if (!found || bytes + found.kept.stream.data.length > maxBytes) continue
    bytes += found.kept.stream.data.length
    const keys = [...tree].filter(([, named]) => named === specification).map(([key]) => key)
    const { kept, original } = found
    files.push({
      ...kept,
      holders: [...(holders.get(specification) ?? [])],
      keys: keys.slice(0, 1),
    })
    taken.set(specification, original)
  }
  takeOut(graph, taken, holders, tree)
  return new AssociatedFiles(graph, files)
}

/** The second scan keeps no more than that of a list. */
const maxFiles = 30
const maxFileBytes = 16 * 1024 * 1024
const maxBytes = 32 * 1024 * 1024

/** What the specifications of embedded files call them, in the order of the file; for people to read. */
export function embeddedFileNames(graph: ObjectGraph): string[] {
  const names = new Set<string>()
  for (const number of graph.numbers()) {
    walkDirect(graph.get(number), (object) => {
      const specification = dictionaryOf(object)
      if (!specification || !dictionaryOf(graph.resolve(specification.get('EF')))) return
      names.add(nameOf(graph, specification) ?? 'a file without a name')
    })
  }
  return [...names]
}

/** Why files that an archive had in it are gone, and what keeps such files. */
const reasons = {
  setting:
    'A service that is set to keep them (KEEP_ASSOCIATED_FILES_OF_PDFA3) leaves those that are harmless.',
  policy: 'They are kept under pdfa_policy=preserve only.',
  level: 'They are kept of PDF/A-3 and PDF/A-4f only.',
  kind: 'They are not of the kinds that are kept.',
  claim: 'They went with the claim to be PDF/A.',
} as const

export type FilesRemovedReason = keyof typeof reasons

export function filesRemovedMessage(names: readonly string[], reason: FilesRemovedReason): string {
  const told = names.slice(0, maxNames).join(', ')
  const others = names.length > maxNames ? ` and ${names.length - maxNames} more` : ''
  return `Embedded files were taken out of the document: ${told}${others}. ${reasons[reason]}`
}

const maxNames = 10

type Holders = Map<PdfDictionary, Set<PdfDictionary>>

/** Each specification that an `/AF` names, with what has that entry; none of a document that has too many of them. */
function findHolders(graph: ObjectGraph): Holders {
  const holders: Holders = new Map()
  let pairs = 0
  for (const number of graph.numbers()) {
    walkDirect(graph.get(number), (object) => {
      const holder = dictionaryOf(object)
      if (!holder?.has('AF') || pairs > maxPairs) return
      for (const specification of associatedBy(graph, holder)) {
        pairs += 1
        const known = holders.get(specification)
        if (known) known.add(holder)
        else holders.set(specification, new Set([holder]))
      }
    })
  }
  return pairs > maxPairs ? new Map() : holders
}

/** A list can be shared by as many as there are objects. */
const maxPairs = 10_000

function associatedBy(graph: ObjectGraph, holder: PdfDictionary): PdfDictionary[] {
  const value = graph.resolve(holder.get('AF'))
  const items = Array.isArray(value) ? value : [value]
  return items
    .map((item) => graph.resolve(item))
    .filter((item) => item instanceof PdfDictionary)
    .filter((item) => dictionaryOf(graph.resolve(item.get('EF'))) !== null)
}

/** The entries of the name tree (ISO 32000-2, 7.9.6), each node once. */
function embeddedFilesTree(graph: ObjectGraph): Map<PdfString, PdfDictionary> {
  const entries = new Map<PdfString, PdfDictionary>()
  const names = dictionaryOf(graph.resolve(documentCatalog(graph).get('Names')))
  const pending: PdfObject[] = [names?.get('EmbeddedFiles') ?? null]
  const seen = new Set<PdfDictionary>()
  for (const item of pending) {
    const node = graph.resolve(item)
    if (!(node instanceof PdfDictionary) || seen.has(node)) continue
    seen.add(node)
    const pairs = graph.resolve(node.get('Names'))
    for (let at = 0; Array.isArray(pairs) && at + 1 < pairs.length; at += 2) {
      const [key, value] = [graph.resolve(pairs[at]), graph.resolve(pairs[at + 1])]
      if (key instanceof PdfString && value instanceof PdfDictionary) entries.set(key, value)
    }
    const kids = graph.resolve(node.get('Kids'))
    if (Array.isArray(kids)) for (const kid of kids) pending.push(kid)
  }
  return entries
}

interface Judged {
  readonly kept: Pick<KeptFile, 'name' | 'specification' | 'stream'>
  readonly original: PdfStream
}

/** The file as it is kept; null if it is not harmless, or if two readers could take two files from it. */
function judge(graph: ObjectGraph, specification: PdfDictionary): Judged | null {
  const text = (key: string): PdfString | null => {
    const value = graph.resolve(specification.get(key))
    return value instanceof PdfString ? value : null
  }
  const relationship = graph.resolve(specification.get('AFRelationship'))
  const embedded = graph.resolve(specification.get('EF'))
  const [file, unicodeFile, description] = [text('F'), text('UF'), text('Desc')]
  if (!isName(relationship) || !(embedded instanceof PdfDictionary) || !file || !unicodeFile) {
    return null
  }
  const original = graph.resolve(embedded.get('F'))
  const other = embedded.has('UF') ? graph.resolve(embedded.get('UF')) : original
  if (!(original instanceof PdfStream) || other !== original) return null
  const subtype = graph.resolve(original.dictionary.get('Subtype'))
  const data = original.dictionary.has('F') ? null : wholeData(graph, original)
  const name = decodeTextString(unicodeFile)
  if (!isName(subtype) || data === null) return null
  for (const shown of [name, decodeTextString(file)]) {
    if (!isHarmlessFile(shown, subtype.value, data)) return null
  }
  const clean = new PdfDictionary([
    ['Type', new PdfName('Filespec')],
    ['F', file],
    ['UF', unicodeFile],
    ['AFRelationship', new PdfName(relationship.value)],
  ])
  if (description) clean.set('Desc', description)
  return {
    kept: { name, specification: clean, stream: cleanStream(graph, original, subtype, data) },
    original,
  }
}

/** null for what does not decode to its end, or to more than is kept. */
function wholeData(graph: ObjectGraph, stream: PdfStream): Uint8Array | null {
  try {
    const limits = { maxStreamBytes: maxFileBytes }
    const { bytes, remainingFilters, damaged } = decodeStreamPartly(graph, stream, limits)
    return remainingFilters.length > 0 || damaged ? null : bytes
  } catch (error) {
    if (error instanceof ResourceLimitError) return null
    throw error
  }
}

function cleanStream(
  graph: ObjectGraph,
  { dictionary }: PdfStream,
  subtype: PdfName,
  data: Uint8Array,
): PdfStream {
  const parameters = new PdfDictionary([['Size', data.length]])
  const given = graph.resolve(dictionary.get('Params'))
  for (const key of ['CreationDate', 'ModDate']) {
    const date = given instanceof PdfDictionary ? graph.resolve(given.get(key)) : null
    if (date instanceof PdfString) parameters.set(key, date)
  }
  return new PdfStream(
    new PdfDictionary([
      ['Type', new PdfName('EmbeddedFile')],
      ['Subtype', new PdfName(subtype.value)],
      ['Params', parameters],
    ]),
    data,
  )
}

/** What was taken is no embedded file any more, whatever else still leads to it. */
function takeOut(
  graph: ObjectGraph,
  taken: ReadonlyMap<PdfDictionary, PdfStream>,
  holders: Holders,
  tree: ReadonlyMap<PdfString, PdfDictionary>,
): void {
  if (taken.size === 0) return
  for (const [specification, stream] of taken) {
    specification.delete('EF')
    specification.delete('RF')
    if (isName(graph.resolve(stream.dictionary.get('Type')), 'EmbeddedFile')) {
      stream.dictionary.delete('Type')
    }
  }
  for (const holder of new Set([...holders.values()].flatMap((some) => [...some]))) {
    const value = graph.resolve(holder.get('AF'))
    const left = (Array.isArray(value) ? value : [value]).filter((item) => {
      const specification = graph.resolve(item)
      return !(specification instanceof PdfDictionary) || !taken.has(specification)
    })
    if (left.length > 0) holder.set('AF', left)
    else holder.delete('AF')
  }
  if (tree.size === 0) return
  const left = [...tree].filter(([, specification]) => !taken.has(specification))
  const names = namesOf(graph)
  if (left.length > 0) names.set('EmbeddedFiles', new PdfDictionary([['Names', left.flat(1)]]))
  else names.delete('EmbeddedFiles')
}

function namesOf(graph: ObjectGraph): PdfDictionary {
  const catalog = documentCatalog(graph)
  const names = graph.resolve(catalog.get('Names'))
  if (names instanceof PdfDictionary) return names
  const added = new PdfDictionary()
  catalog.set('Names', added)
  return added
}

function nameOf(graph: ObjectGraph, specification: PdfDictionary): string | null {
  for (const key of ['UF', 'F']) {
    const value = graph.resolve(specification.get(key))
    if (value instanceof PdfString) {
      const name = decodeTextString(value).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
      if (name !== '') return name.toWellFormed().slice(0, maxNameLength)
    }
  }
  return null
}

const maxNameLength = 80

function sha256(data: Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}
