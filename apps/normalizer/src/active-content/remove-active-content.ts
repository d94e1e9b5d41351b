import { documentCatalog } from '../pdf/catalog.ts'
import { dropObjects } from '../pdf/drop-objects.ts'
import { decodeStream } from '../pdf/filter/decode-stream.ts'
import {
  isName,
  type PdfDictionary,
  type PdfObject,
  PdfReference,
  PdfStream,
  PdfString,
} from '../pdf/object.ts'
import type { ObjectGraph } from '../pdf/object-graph.ts'
import { decodeTextString } from '../pdf/text-string.ts'
import { dictionaryOf, type Position, walkDirect } from '../pdf/walk-direct.ts'
import {
  actionOperands,
  actionPositions,
  actionTypes,
  type ActiveContentKind,
  forbiddenAnnotations,
  type ForbiddenKey,
  forbiddenKeys,
  judgeUri,
  nameKeyedDictionaries,
  pageMoves,
  type UriVerdict,
} from './inventory.ts'
import { linksRelativeToBase, type ResolvedLink } from './relative-uri.ts'

/** What was found, and the places from which it is to be taken. Finding changes nothing. */
export interface ActiveContent {
  readonly kinds: ReadonlySet<ActiveContentKind>
  /** Entries to delete. */
  readonly entries: readonly { readonly dictionary: PdfDictionary; readonly key: string }[]
  /** Actions, annotations and streams that go as a whole; a stream is given by its dictionary. */
  readonly doomed: ReadonlySet<PdfDictionary>
  /** Streams whose data lies in another file (ISO 32000-2, 7.3.8.2). */
  readonly externalStreams: readonly PdfStream[]
  /** Links that need the base that goes. */
  readonly relativeLinks: readonly ResolvedLink[]
}

/**
 * Looks at every live object, whether anything refers to it or not and whatever type it claims (trust, 5.1).
 * Nothing is followed recursively: chains, trees and cycles are met as the numbered objects that they are made of.
 */
export function findActiveContent(graph: ObjectGraph): ActiveContent {
  const find = new Find(graph)
  find.walk(graph.trailer, null)
  for (const number of graph.numbers()) find.walk(graph.get(number), number)
  return find.finish()
}

/** Takes out what {@link findActiveContent} found in the same graph. */
export function removeActiveContent(graph: ObjectGraph, found: ActiveContent): void {
  for (const { action, uri } of found.relativeLinks) {
    action.set('URI', new PdfString(Buffer.from(uri, 'latin1')))
  }
  for (const { dictionary, key } of found.entries) dictionary.delete(key)
  for (const stream of found.externalStreams) {
    for (const key of externalStreamKeys) stream.dictionary.delete(key)
    stream.data = new Uint8Array()
  }
  dropObjects(graph, found.doomed)
}

const externalStreamKeys = ['F', 'FFilter', 'FDecodeParms', 'Filter', 'DecodeParms', 'DL'] as const

/** An entry that has to be judged again when all references are known. */
interface Entry {
  readonly dictionary: PdfDictionary
  readonly key: string
  readonly kind: ActiveContentKind
  /** The number of the object that is the dictionary itself; null for a direct one. */
  readonly number: number | null
}

class Find {
  readonly #graph: ObjectGraph
  readonly #kinds = new Set<ActiveContentKind>()
  readonly #entries: Entry[] = []
  readonly #doomed = new Set<PdfDictionary>()
  readonly #externalStreams: PdfStream[] = []
  readonly #embeddedFiles: PdfDictionary[] = []
  readonly #xfaPackets = new Set<PdfDictionary>()
  readonly #nameKeyedNumbers = new Set<number>()
  readonly #catalog: PdfDictionary
  readonly #form: PdfDictionary | null

  constructor(graph: ObjectGraph) {
    this.#graph = graph
    this.#catalog = documentCatalog(graph)
    this.#form = dictionaryOf(graph.resolve(this.#catalog.get('AcroForm')))
  }

  walk(root: PdfObject, number: number | null): void {
    walkDirect(root, (object, position) => {
      if (object instanceof PdfReference) this.#noteReference(object, position)
      if (object instanceof PdfStream) this.#judgeStream(object)
      const dictionary = dictionaryOf(object)
      if (dictionary) this.#judgeDictionary(dictionary, object, position, number)
    })
  }

  finish(): ActiveContent {
    // Adobe's own XFA packets call themselves embedded files, too.
    for (const dictionary of this.#embeddedFiles) {
      if (!this.#xfaPackets.has(dictionary)) this.#doom(dictionary, 'embeddedFile')
    }
    const excused = this.#excusedNumbers()
    const entries: Entry[] = []
    for (const entry of this.#entries) {
      if (entry.number !== null && excused.has(entry.number)) continue
      // The form's own XFA goes with the form (AcroFormHandling); only its scripts are told here.
      const goesWithForm = entry.key === 'XFA' && entry.dictionary === this.#form
      if (!goesWithForm || entry.kind === 'javascript') this.#kinds.add(entry.kind)
      if (!goesWithForm) entries.push(entry)
    }
    return {
      kinds: this.#kinds,
      entries,
      doomed: this.#doomed,
      externalStreams: this.#externalStreams,
      relativeLinks: linksRelativeToBase(this.#graph),
    }
  }

  #noteReference(reference: PdfReference, { under, inArray }: Position): void {
    if (under === null || inArray || !nameKeyedDictionaries.has(under)) return
    this.#nameKeyedNumbers.add(reference.number)
  }

  /**
   * Dictionaries that are referred to only as fonts, XObjects and so on by name: their keys are the document's own.
   * A second look at all references is needed for that, and only when such a dictionary holds a suspect.
   */
  #excusedNumbers(): Set<number> {
    const excused = new Set<number>()
    for (const { number } of this.#entries) {
      if (number !== null && this.#nameKeyedNumbers.has(number)) excused.add(number)
    }
    if (excused.size === 0) return excused
    const look = (object: PdfObject, { under, inArray }: Position): void => {
      if (!(object instanceof PdfReference)) return
      const byName = under !== null && !inArray && nameKeyedDictionaries.has(under)
      if (!byName) excused.delete(object.number)
    }
    walkDirect(this.#graph.trailer, look)
    for (const number of this.#graph.numbers()) walkDirect(this.#graph.get(number), look)
    return excused
  }

  #judgeStream(stream: PdfStream): void {
    const { dictionary } = stream
    const file = this.#graph.resolve(dictionary.get('F'))
    if (file instanceof PdfString || dictionaryOf(file)) {
      this.#externalStreams.push(stream)
      this.#kinds.add('embeddedFile')
    }
    const subtype = this.#graph.resolve(dictionary.get('Subtype'))
    // PostScript XObjects (ISO 32000-1, 8.8.2) are programs for the printer.
    if (isName(subtype, 'PS') || isName(this.#graph.resolve(dictionary.get('Subtype2')), 'PS')) {
      this.#doom(dictionary, 'other')
    }
    if (!isName(this.#graph.resolve(dictionary.get('Type')), 'EmbeddedFile')) return
    if (isName(subtype, 'Image') || isName(subtype, 'Form')) return
    this.#embeddedFiles.push(dictionary)
  }

  #judgeDictionary(
    dictionary: PdfDictionary,
    object: PdfObject,
    position: Position,
    root: number | null,
  ): void {
    const isTop = position.under === null && !position.inArray
    const isNameKeyed =
      !position.inArray && position.under !== null && nameKeyedDictionaries.has(position.under)
    if (!isNameKeyed) {
      for (const [key, value] of dictionary) {
        const rule = this.#ruleFor(key, dictionary)
        if (!rule || (key === 'Ref' && !(object instanceof PdfStream))) continue
        if (!hasShape(this.#graph, value, rule)) continue
        const kind = this.#kindOf(key, rule, value)
        this.#entries.push({ dictionary, key, kind, number: isTop ? root : null })
      }
    }
    // Some readers take a stream where an action or an annotation is due for its dictionary.
    const subtype = this.#graph.resolve(dictionary.get('Subtype'))
    const annotation = isName(subtype) ? forbiddenAnnotations.get(subtype.value) : undefined
    if (annotation) this.#doom(dictionary, annotation)
    const kind = judgeAction(this.#graph, dictionary)
    if (kind && !isStructureElement(dictionary)) this.#doom(dictionary, kind)
    this.#judgePositions(dictionary)
  }

  #ruleFor(key: string, dictionary: PdfDictionary): ForbiddenKey | undefined {
    // The document's own form is AcroFormHandling's; one that hangs elsewhere is never shown, and goes.
    if (key === 'AcroForm' && dictionary !== this.#catalog) return strayForm
    if (key === 'FontMatrix' && !isOfNumbers(this.#graph, dictionary.get(key))) return scriptMatrix
    return forbiddenKeys.get(key)
  }

  #kindOf(key: string, { kind }: ForbiddenKey, value: PdfObject): ActiveContentKind {
    if (key === 'XFA') {
      const packets = streamsIn(this.#graph, value)
      for (const { dictionary } of packets) this.#xfaPackets.add(dictionary)
      return packets.some((packet) => hasScript(this.#graph, packet)) ? 'javascript' : kind
    }
    if (key === 'Requirements') return needsScripts(this.#graph, value) ? 'javascript' : kind
    if (key === 'URI') return baseLeavesTheWeb(this.#graph, value) ? 'launch' : kind
    return key !== 'JS' && isEmptyTree(this.#graph, value) ? 'other' : kind
  }

  /** Where an action is due, also one of unknown type goes. */
  #judgePositions(dictionary: PdfDictionary): void {
    if (isStructureElement(dictionary)) return
    for (const [key, value] of dictionary) {
      if (!actionPositions.has(key)) continue
      const actions = this.#graph.resolve(value)
      for (const item of Array.isArray(actions) ? actions : [actions]) {
        const action = dictionaryOf(this.#graph.resolve(item))
        const kind = action && judgePlacedAction(this.#graph, action)
        if (kind) this.#doom(action, kind)
      }
      if (key === 'OpenAction') this.#judgeOpenAction(dictionary, actions)
    }
  }

  /**
   * A destination and a GoTo within the file stay. What else follows one runs by itself, even a link that might stay
   * where someone has to click it: the chain is cut.
   */
  #judgeOpenAction(catalog: PdfDictionary, object: PdfObject): void {
    const action = dictionaryOf(object)
    if (!action) return
    const cut = (dictionary: PdfDictionary, key: string): void => {
      this.#entries.push({ dictionary, key, kind: 'openAction', number: null })
    }
    if (!staysInside(this.#graph, action)) cut(catalog, 'OpenAction')
    else if (!chainStaysInside(this.#graph, action)) cut(action, 'Next')
  }

  #doom(dictionary: PdfDictionary, kind: ActiveContentKind): void {
    this.#doomed.add(dictionary)
    this.#kinds.add(kind)
  }
}

const strayForm: ForbiddenKey = { kind: 'other', shape: 'dictionary' }
/** A reader that makes code of a font's matrix runs what stands in it (CVE-2024-4367). */
const scriptMatrix: ForbiddenKey = { kind: 'javascript', shape: 'any' }

function isOfNumbers(graph: ObjectGraph, value: PdfObject | undefined): boolean {
  const items = graph.resolve(value)
  return Array.isArray(items) && items.every((item) => typeof graph.resolve(item) === 'number')
}

function hasShape(graph: ObjectGraph, value: PdfObject, { shape }: ForbiddenKey): boolean {
  if (shape === 'any') return true
  const resolved = graph.resolve(value)
  if (dictionaryOf(resolved)) return true
  return shape === 'dictionary or array' && Array.isArray(resolved)
}

/** What the action does, by its type and, where that leaves it open, by what else it says; null: it may stay. */
function judgeAction(graph: ObjectGraph, action: PdfDictionary): ActiveContentKind | null {
  const type = graph.resolve(action.get('S'))
  const verdict = isName(type) ? actionTypes.get(type.value) : undefined
  if (!isName(type) || verdict === undefined || verdict === 'kept') return null
  if (verdict !== 'judged') return verdict
  if (type.value === 'Thread') return graph.resolve(action.get('F')) === null ? null : 'launch'
  if (type.value === 'Named') {
    const move = graph.resolve(action.get('N'))
    return isName(move) && pageMoves.has(move.value) ? null : 'other'
  }
  const uri = graph.resolve(action.get('URI'))
  const judged = uri instanceof PdfString ? judgeAddress(uri) : 'kept'
  return judged === 'kept' ? null : judged
}

/** As text and byte by byte: readers differ in how they read what is to be ASCII. */
function judgeAddress(uri: PdfString): UriVerdict {
  const asText = judgeUri(decodeTextString(uri))
  return asText === 'kept' ? judgeUri(Buffer.from(uri.bytes).toString('latin1')) : asText
}

function judgePlacedAction(graph: ObjectGraph, action: PdfDictionary): ActiveContentKind | null {
  const type = graph.resolve(action.get('S'))
  if (isName(type) && !actionTypes.has(type.value)) return 'other'
  return judgeAction(graph, action)
}

/**
 * A structure element (14.7.2) whose type happens to be called like an action, such as `Sound`. It has a parent and
 * kids or a page, and nothing that an action would act on, nor what makes it an annotation or an outline item.
 */
function isStructureElement(dictionary: PdfDictionary): boolean {
  if (!dictionary.has('P') || !dictionary.has('S')) return false
  if (dictionary.has('Subtype') || dictionary.has('Parent')) return false
  if (actionOperands.some((key) => dictionary.has(key))) return false
  return dictionary.has('K') || dictionary.has('Pg') || isName(dictionary.get('Type'), 'StructElem')
}

function staysInside(graph: ObjectGraph, action: PdfDictionary): boolean {
  const type = graph.resolve(action.get('S'))
  return isName(type) && actionTypes.get(type.value) === 'kept'
}

function chainStaysInside(graph: ObjectGraph, first: PdfDictionary): boolean {
  const seen = new Set<PdfDictionary>()
  const pending: PdfObject[] = [first]
  while (pending.length > 0) {
    const action = dictionaryOf(graph.resolve(pending.pop()))
    if (!action || seen.has(action)) continue
    seen.add(action)
    if (!staysInside(graph, action)) return false
    const next = graph.resolve(action.get('Next'))
    for (const item of Array.isArray(next) ? next : [next]) pending.push(item)
  }
  return true
}

/** Nothing hangs in a tree without names and kids: it is removed, but nothing was found in it. */
function isEmptyTree(graph: ObjectGraph, value: PdfObject): boolean {
  const resolved = graph.resolve(value)
  if (Array.isArray(resolved)) return resolved.length === 0
  const tree = dictionaryOf(resolved)
  if (!tree) return false
  return [...tree].every(([key, item]) => {
    const resolved = graph.resolve(item)
    return (
      key === 'Limits' || resolved === null || (Array.isArray(resolved) && resolved.length === 0)
    )
  })
}

function needsScripts(graph: ObjectGraph, value: PdfObject): boolean {
  const requirements = graph.resolve(value)
  return (Array.isArray(requirements) ? requirements : [requirements]).some((item) => {
    const requirement = dictionaryOf(graph.resolve(item))
    return isName(graph.resolve(requirement?.get('S')), 'EnableJavaScripts')
  })
}

function baseLeavesTheWeb(graph: ObjectGraph, value: PdfObject): boolean {
  const base = graph.resolve(dictionaryOf(graph.resolve(value))?.get('Base'))
  return base instanceof PdfString && judgeAddress(base) !== 'kept'
}

function streamsIn(graph: ObjectGraph, value: PdfObject): PdfStream[] {
  const resolved = graph.resolve(value)
  const items = Array.isArray(resolved) ? resolved.map((item) => graph.resolve(item)) : [resolved]
  return items.filter((item) => item instanceof PdfStream)
}

/** XFA 3.3: scripts are `script` elements of calculate, validate and event. What cannot be read is taken for one. */
function hasScript(graph: ObjectGraph, packet: PdfStream): boolean {
  const bytes = decodeStream(graph, packet)
  if (bytes === null) return true
  // UTF-16 without its zeros reads like ASCII.
  const text = Buffer.from(bytes).toString('latin1').replaceAll('\0', '')
  return /<(?:[\w-]+:)?script[\s/>]/.test(text)
}
