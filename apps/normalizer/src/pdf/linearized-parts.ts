import { evenRuns } from './object-stream-packing.ts'
import type { WrittenDocument, WrittenObject } from './written-document.ts'

/** The document cannot be laid out as Annex F asks, or only at a cost out of proportion. */
export class NotLinearizableError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'NotLinearizableError'
  }
}

/** What is written as one numbered object with an offset of its own. */
export interface Unit {
  /** Indexes into the document's objects. */
  readonly members: readonly number[]
  /** An object stream of its members; else the one member itself. */
  readonly packed: boolean
}

/** The document's objects in the order of a linearized file (ISO 32000-2, Annex F.3), by the numbers used there. */
export interface LinearizedParts {
  /** Part 4: the catalog first, then what is needed to open the document. */
  readonly opening: readonly Unit[]
  /** Part 6: the first page's object first, then all that it needs. */
  readonly firstPage: readonly Unit[]
  /** Part 7: for each further page its object, then what is its own. */
  readonly otherPages: readonly (readonly Unit[])[]
  /** Part 8: what several further pages need. */
  readonly shared: readonly Unit[]
  /** Part 9: page tree, thumbnails, outlines, the rest. */
  readonly rest: readonly Unit[]
  /** For each page but the first: what of part 6 and part 8 it needs, as places in the one list of both. */
  readonly sharedByPage: readonly (readonly number[])[]
  /** The units that `/Outlines` leads to, adjacent in part 6 or part 9; empty without outlines. */
  readonly outlines: readonly Unit[]
}

/** @throws {NotLinearizableError} without pages, or when pages and what they share take too many steps to follow */
export function linearizedParts(document: WrittenDocument, packed: boolean): LinearizedParts {
  if (document.pages.length === 0) throw new NotLinearizableError('the document has no pages')
  const users = new Users(document)
  const units = formUnits(document, users, packed)
  const placed = units.map((unit) => ({ unit, use: combine(unit.members.map((m) => users.of(m))) }))

  const groups = new Map<Place, Unit[]>()
  const ownOfPage = new Map<number, Unit[]>()
  for (const { unit, use } of placed) {
    const place = placeOf(use)
    if (place === 'other page') append(ownOfPage, use.page, unit)
    else append(groups, place, unit)
  }
  const group = (place: Place): Unit[] => groups.get(place) ?? []
  const outlines = outlinesFirst(document, group('outlines'))
  const outlinesOnFirstPage = outlines.length > 0 && document.opensWithOutlines

  const [firstPage = 0, ...furtherPages] = document.pages
  const firstPart = [
    ...leading(group('first page'), firstPage),
    ...(outlinesOnFirstPage ? outlines : []),
  ]
  const shared = group('shared')
  const otherPages = furtherPages.map((page, index) =>
    leading(ownOfPage.get(index + 1) ?? [], page),
  )
  return {
    opening: [...leading(group('catalog'), document.root), ...group('opening')],
    firstPage: firstPart,
    otherPages,
    shared,
    rest: [
      ...group('page tree'),
      ...group('thumbnail'),
      ...(outlinesOnFirstPage ? [] : outlines),
      ...group('rest'),
    ],
    sharedByPage: users.sharedByPage(document, [...firstPart, ...shared]),
    outlines,
  }
}

type Place =
  | 'catalog'
  | 'outlines'
  | 'opening'
  | 'first page'
  | 'other page'
  | 'shared'
  | 'page tree'
  | 'thumbnail'
  | 'rest'

/** Who needs an object: what Annex F's parts are told apart by. */
interface Use {
  readonly flags: number
  /** The one page after the first that needs it; {@link none} or {@link several}. */
  readonly page: number
  /** The same for thumbnails, of any page. */
  readonly thumbnail: number
}

const isCatalog = 1
const inOutlines = 2
const inOpening = 4
const onFirstPage = 8
const elsewhere = 16
const inPageTree = 32

const none = -1
const several = -2

/** F.3.3: entries of the catalog whose objects stand beside it. */
const openingKeys = new Set(['AcroForm', 'OpenAction', 'PageMode', 'Threads', 'ViewerPreferences'])

function placeOf({ flags, page, thumbnail }: Use): Place {
  if (flags & isCatalog) return 'catalog'
  if (flags & inOutlines) return 'outlines'
  if (flags & inOpening) return 'opening'
  if (flags & onFirstPage) return 'first page'
  if (page === several) return 'shared'
  if (page !== none && !(flags & elsewhere) && thumbnail === none) return 'other page'
  if (thumbnail === several || (thumbnail !== none && !(flags & elsewhere))) return 'thumbnail'
  return flags & inPageTree ? 'page tree' : 'rest'
}

function combine(uses: readonly Use[]): Use {
  let flags = 0
  let page = none
  let thumbnail = none
  for (const use of uses) {
    flags |= use.flags
    page = joined(page, use.page)
    thumbnail = joined(thumbnail, use.thumbnail)
  }
  return { flags, page, thumbnail }
}

function joined(one: number, other: number): number {
  if (one === none || one === other) return other
  return other === none ? one : several
}

/** Follows the document from each of its users: every page, every thumbnail, every entry of the catalog, `/Info`. */
class Users {
  readonly #objects: readonly WrittenObject[]
  readonly #isPage: Uint8Array
  readonly #flags: Uint8Array
  readonly #page: Int32Array
  readonly #thumbnail: Int32Array
  /** The walk that has been at an object last. */
  readonly #walk: Int32Array
  #walks = 0
  #steps = 0

  constructor(document: WrittenDocument) {
    const count = document.objects.length
    this.#objects = document.objects
    this.#isPage = new Uint8Array(count)
    this.#flags = new Uint8Array(count)
    this.#page = new Int32Array(count).fill(none)
    this.#thumbnail = new Int32Array(count).fill(none)
    this.#walk = new Int32Array(count)

    for (const page of document.pages) this.#isPage[page] = 1
    for (const [number, page] of document.pages.entries()) {
      const mark = number === 0 ? this.#flagger(onFirstPage) : marker(this.#page, number)
      this.#walkPage(page, mark, marker(this.#thumbnail, number))
    }
    if (document.info !== null) this.#follow([document.info], this.#flagger(elsewhere))
    const { references, ranges } = spellingOf(document, document.root)
    for (const [key, [from, to]] of ranges ?? []) {
      this.#follow(references.slice(from, to), this.#flagger(flagOfKey(key)))
    }
    this.#flags[document.root] = isCatalog
  }

  of(object: number): Use {
    return {
      flags: this.#flags[object] ?? 0,
      page: this.#page[object] ?? none,
      thumbnail: this.#thumbnail[object] ?? none,
    }
  }

  sharedByPage(document: WrittenDocument, sharedUnits: readonly Unit[]): number[][] {
    const placeOfObject = new Int32Array(document.objects.length).fill(none)
    for (const [place, { members }] of sharedUnits.entries()) {
      for (const member of members) placeOfObject[member] = place
    }
    return document.pages.slice(1).map((page) => {
      const places = new Set<number>()
      const mark = (object: number): void => {
        const place = placeOfObject[object] ?? none
        if (place !== none) places.add(place)
      }
      this.#walkPage(page, mark, () => {})
      return [...places].toSorted((a, b) => a - b)
    })
  }

  #flagger(flag: number): Mark {
    const flags = this.#flags
    return (object) => {
      flags[object] = (flags[object] ?? 0) | flag
    }
  }

  /** A page's thumbnail is a user of its own (F.3.10); what the page has met before belongs to the page. */
  #walkPage(page: number, mark: Mark, markThumbnail: Mark): void {
    this.#walks += 1
    this.#walk[page] = this.#walks
    mark(page)
    const { references, ranges } = this.#objects[page]?.spelling ?? nothing
    const parent = ranges?.get('Parent') ?? empty
    const thumbnail = ranges?.get('Thumb') ?? [references.length, references.length]
    this.#proceed(references.slice(0, parent[0]), mark)
    this.#proceed(references.slice(parent[1], thumbnail[0]), mark)
    this.#proceed(references.slice(...thumbnail), markThumbnail)
    this.#proceed(references.slice(thumbnail[1]), mark)
  }

  #follow(objects: readonly number[], mark: Mark): void {
    this.#walks += 1
    this.#proceed([...objects], mark)
  }

  /** Marks what can be reached without entering a page and was not met in this walk before. */
  #proceed(pending: number[], mark: Mark): void {
    for (let object = pending.pop(); object !== undefined; object = pending.pop()) {
      if (this.#walk[object] === this.#walks || this.#isPage[object] === 1) continue
      this.#walk[object] = this.#walks
      mark(object)
      const references = this.#objects[object]?.spelling.references ?? []
      this.#steps += references.length + 1
      if (this.#steps > maximumSteps) {
        throw new NotLinearizableError('its pages share too much to be told apart')
      }
      for (const reference of references) pending.push(reference)
    }
  }
}

type Mark = (object: number) => void

/** Pages times what each of them can reach: less than a second of work. */
const maximumSteps = 20_000_000
const empty: readonly [number, number] = [0, 0]
const nothing: Pick<WrittenObject['spelling'], 'references' | 'ranges'> = {
  references: [],
  ranges: null,
}

function marker(values: Int32Array, user: number): Mark {
  return (object) => {
    values[object] = joined(values[object] ?? none, user)
  }
}

function flagOfKey(key: string): number {
  if (key === 'Outlines') return inOutlines
  if (key === 'Pages') return inPageTree | elsewhere
  return openingKeys.has(key) ? inOpening : elsewhere
}

/**
 * Each object by itself, or the small ones together in object streams; never objects of different parts in one. The
 * catalog and pages stay by themselves (7.5.7).
 */
function formUnits(document: WrittenDocument, users: Users, packed: boolean): Unit[] {
  const single = new Set([document.root, ...document.pages])
  const units: Unit[] = []
  const toPack = new Map<string, number[]>()
  for (const [index, { data }] of document.objects.entries()) {
    if (!packed || data !== null || single.has(index)) {
      units.push({ members: [index], packed: false })
      continue
    }
    append(toPack, packingGroup(placeOf(users.of(index))), index)
  }
  for (const members of toPack.values()) {
    for (const run of evenRuns(members)) units.push({ members: run, packed: true })
  }
  return units
}

/** Further pages pack across pages, and the parts at the end across kinds: many small streams would cost more. */
function packingGroup(place: Place): string {
  switch (place) {
    case 'other page':
    case 'shared':
      return 'further pages'
    case 'page tree':
    case 'thumbnail':
    case 'rest':
      return 'rest'
    default:
      return place
  }
}

function outlinesFirst(document: WrittenDocument, outlines: readonly Unit[]): Unit[] {
  const { references, ranges } = spellingOf(document, document.root)
  const first = references[ranges?.get('Outlines')?.[0] ?? references.length]
  return first === undefined ? [...outlines] : leading(outlines, first)
}

function spellingOf(document: WrittenDocument, index: number): WrittenObject['spelling'] {
  const object = document.objects[index]
  if (!object) throw new RangeError(`no object ${index}`)
  return object.spelling
}

/** The units with the one that holds `object` in front. */
function leading(units: readonly Unit[], object: number): Unit[] {
  const first = units.filter(({ members }) => members.includes(object))
  return [...first, ...units.filter((unit) => !first.includes(unit))]
}

function append<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}
