import { documentCatalog } from '../../pdf/catalog.ts'
import { decodeStream } from '../../pdf/filter/decode-stream.ts'
import { PdfDictionary, type PdfObject, PdfStream, PdfString } from '../../pdf/object.ts'
import type { ObjectGraph } from '../../pdf/object-graph.ts'
import { dictionaryOf } from '../../pdf/walk-direct.ts'
import { type Place, wholeFile } from '../failures.ts'
import type { Part } from '../flavour.ts'
import { RuleSet } from '../rule.ts'
import type { Validation } from '../validation.ts'
import type { AssociatedFiles } from './associated-files.ts'
import type { EmbeddedDocuments } from './embedded-documents.ts'
import { dictionaryAt, hasEntry, ItemsOnce, nameAt, placeOf } from './entry.ts'

/**
 * File specifications (ISO 32000-2, 7.11.3) and the files that they embed. They are judged wherever they stand in a live
 * object, whether anything leads to them or not.
 *
 * @param associated those of catalog, pages, annotations and structure elements
 */
export function checkEmbeddedFiles(
  validation: Validation,
  documents: EmbeddedDocuments,
  associated: AssociatedFiles,
): void {
  const { graph } = validation
  const files = new Set<PdfStream>()
  for (const [dictionary, place] of fileSpecifications(graph, associated)) {
    const isAssociated = associated.has(dictionary)
    validation.check(specificationRules, new Specification(graph, dictionary, isAssociated), place)
    const embedded = dictionaryAt(graph, dictionary.get('EF'))
    for (const key of ['F', 'UF', 'DOS', 'Mac', 'Unix']) {
      const reference = embedded?.get(key)
      const file = graph.resolve(reference)
      if (!(file instanceof PdfStream) || files.has(file)) continue
      files.add(file)
      validation.check(
        embeddedFileRules,
        new EmbeddedFile(graph, file, documents),
        placeOf(reference, place),
      )
    }
  }
}

/** Those of the name tree, and those that say what they are. XObjects add those that they are associated with. */
function fileSpecifications(
  graph: ObjectGraph,
  associated: AssociatedFiles,
): ReadonlyMap<PdfDictionary, Place> {
  const found = new Map<PdfDictionary, Place>()
  for (const { object, holder } of namedFiles(graph)) {
    const dictionary = dictionaryOf(graph.resolve(object))
    if (dictionary !== null) found.set(dictionary, placeOf(object, holder))
  }
  collectTyped(graph, graph.trailer, wholeFile, found)
  for (const number of graph.numbers()) {
    const object = graph.get(number)
    const reference = { number, generation: graph.generation(number) }
    collectTyped(graph, object, { object: reference, page: null }, found)
    if (object instanceof PdfStream && isXObject(graph, object)) associated.add(object.dictionary)
  }
  return found
}

function isXObject(graph: ObjectGraph, { dictionary }: PdfStream): boolean {
  const kind = nameAt(graph, dictionary.get('Subtype'))
  return kind === 'Form' || kind === 'Image'
}

interface Held {
  readonly object: PdfObject
  readonly holder: Place
}

/** The values of the name tree `/EmbeddedFiles` (7.7.4, 7.9.6). */
function namedFiles(graph: ObjectGraph): Held[] {
  const names = dictionaryOf(graph.resolve(documentCatalog(graph).get('Names')))
  const files: Held[] = []
  const lists = new ItemsOnce(graph)
  const seen = new Set<PdfDictionary>()
  const pending: Held[] = [{ object: names?.get('EmbeddedFiles') ?? null, holder: wholeFile }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const node = dictionaryOf(graph.resolve(next.object))
    if (node === null || seen.has(node)) continue
    seen.add(node)
    const holder = placeOf(next.object, next.holder)
    const list = lists.at(node.get('Names'))
    for (let at = 1; at < list.length; at += 2) files.push({ object: list[at] ?? null, holder })
    for (const object of lists.at(node.get('Kids'))) pending.push({ object, holder })
  }
  return files
}

/** Adds the dictionaries of type Filespec that an object is or directly holds. */
function collectTyped(
  graph: ObjectGraph,
  root: PdfObject,
  place: Place,
  found: Map<PdfDictionary, Place>,
): void {
  const pending = [root]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const dictionary = dictionaryOf(next)
    const isTyped = dictionary === next && nameAt(graph, dictionary?.get('Type')) === 'Filespec'
    if (isTyped && dictionary !== null) found.set(dictionary, place)
    for (const value of Array.isArray(next) ? next : (dictionary?.values() ?? [])) {
      if (Array.isArray(value) || value instanceof PdfDictionary) pending.push(value)
    }
  }
}

class Specification {
  readonly #graph: ObjectGraph
  readonly #dictionary: PdfDictionary
  /** Whether it stands in the `/AF` of something. */
  readonly isAssociated: boolean

  constructor(graph: ObjectGraph, dictionary: PdfDictionary, isAssociated: boolean) {
    this.#graph = graph
    this.#dictionary = dictionary
    this.isAssociated = isAssociated
  }

  get embedsFile(): boolean {
    return hasEntry(this.#dictionary, 'EF')
  }

  get hasNames(): boolean {
    return ['F', 'UF'].every(
      (key) => this.#graph.resolve(this.#dictionary.get(key)) instanceof PdfString,
    )
  }

  get hasRelationship(): boolean {
    return nameAt(this.#graph, this.#dictionary.get('AFRelationship')) !== null
  }
}

const specificationRules = new RuleSet<Specification>('file specification', [
  {
    clauses: { '1': '6.1.11 t1' },
    description: 'File specifications embed no file (/EF)',
    holds: ({ embedsFile }) => !embedsFile,
  },
  {
    clauses: { '2-3': '6.8 t2', '4': '6.9 t2' },
    description: 'File specifications of embedded files name the file in /F and in /UF',
    holds: ({ embedsFile, hasNames }) => !embedsFile || hasNames,
  },
  {
    clauses: { '3': '6.8 t3' },
    description: 'File specifications say how the file relates to the document (/AFRelationship)',
    holds: ({ hasRelationship }) => hasRelationship,
  },
  {
    clauses: { '4': '6.9 t4' },
    description: 'File specifications say how the file relates to the document (/AFRelationship)',
    holds: ({ embedsFile, hasRelationship }) => !embedsFile || hasRelationship,
  },
  {
    clauses: { '3': '6.8 t4' },
    description: 'File specifications are associated with the document or a part of it (/AF)',
    holds: ({ isAssociated }) => isAssociated,
  },
])

class EmbeddedFile {
  readonly #graph: ObjectGraph
  readonly #stream: PdfStream
  readonly #documents: EmbeddedDocuments

  constructor(graph: ObjectGraph, stream: PdfStream, documents: EmbeddedDocuments) {
    this.#graph = graph
    this.#stream = stream
    this.#documents = documents
  }

  get mediaType(): string | null {
    return nameAt(this.#graph, this.#stream.dictionary.get('Subtype'))
  }

  compliesWith(parts: readonly Part[]): boolean {
    const bytes = decodeStream(this.#graph, this.#stream)
    return bytes !== null && this.#documents.complies(bytes, parts)
  }
}

const embeddedFileRules = new RuleSet<EmbeddedFile>('embedded file', [
  {
    clauses: { '3': '6.8 t1', '4': '6.9 t1' },
    description: 'Embedded files have a media type (/Subtype)',
    holds: ({ mediaType }) => mediaType !== null && /^[-\w+.]+\/[-\w+.]+$/.test(mediaType),
    found: ({ mediaType }) =>
      mediaType === null ? 'none' : JSON.stringify(mediaType.slice(0, 80)),
  },
  {
    clauses: { '2': '6.8 t5' },
    description: 'Embedded files comply with PDF/A-1 or PDF/A-2',
    holds: (file) => file.compliesWith([1, 2]),
  },
  {
    clauses: { '4 alone': '6.9 t3' },
    description: 'Embedded files comply with PDF/A-1, PDF/A-2 or PDF/A-4',
    holds: (file) => file.compliesWith([1, 2, 4]),
  },
])
