import type { ReferenceRange, SpelledObjects } from './spelled-objects.ts'
import type { WrittenDocument, WrittenPage } from './written-document.ts'

/** The document cannot be laid out as Annex F asks, or only at a cost out of proportion. */
export class NotLinearizableError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'NotLinearizableError'
  }
}

/** The parts of a linearized file, told apart by who needs an object. */
export type Place =
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
export interface Use {
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

export function placeOf({ flags, page, thumbnail }: Use): Place {
  if (flags & isCatalog) return 'catalog'
  if (flags & inOutlines) return 'outlines'
  if (flags & inOpening) return 'opening'
  if (flags & onFirstPage) return 'first page'
  if (page === several) return 'shared'
  if (page !== none && !(flags & elsewhere) && thumbnail === none) return 'other page'
  if (thumbnail === several || (thumbnail !== none && !(flags & elsewhere))) return 'thumbnail'
  return flags & inPageTree ? 'page tree' : 'rest'
}

function joined(one: number, other: number): number {
  if (one === none || one === other) return other
  return other === none ? one : several
}

/** Follows the document from each of its users: every page, every thumbnail, every entry of the catalog, `/Info`. */
export class ObjectUsers {
  readonly #objects: SpelledObjects
  readonly #pages: readonly WrittenPage[]
  readonly #isPage: Uint8Array
  readonly #flags: Uint8Array
  readonly #page: Int32Array
  readonly #thumbnail: Int32Array
  /** The walk that has been at an object last. */
  readonly #walk: Int32Array
  readonly #pending: number[] = []
  #walks = 0
  #steps = 0

  constructor({ objects, pages, info, root, catalogEntries }: WrittenDocument) {
    const { count } = objects
    this.#objects = objects
    this.#pages = pages
    this.#isPage = new Uint8Array(count)
    this.#flags = new Uint8Array(count)
    this.#page = new Int32Array(count).fill(none)
    this.#thumbnail = new Int32Array(count).fill(none)
    this.#walk = new Int32Array(count)

    for (const { index } of pages) this.#isPage[index] = 1
    for (const [number, page] of pages.entries()) {
      const mark = number === 0 ? this.#flagger(onFirstPage) : marker(this.#page, number)
      this.#walkPage(page, mark, marker(this.#thumbnail, number))
    }
    if (info !== null) {
      this.#walks += 1
      this.#pending.push(info)
      this.#proceed(this.#flagger(elsewhere))
    }
    for (const [key, range] of catalogEntries) {
      this.#walks += 1
      this.#follow(range, this.#flagger(flagOfKey(key)))
    }
    this.#flags[root] = isCatalog
  }

  /** All that needs one of the objects. */
  of(objects: readonly number[]): Use {
    let flags = 0
    let page = none
    let thumbnail = none
    for (const object of objects) {
      flags |= this.#flags[object] ?? 0
      page = joined(page, this.#page[object] ?? none)
      thumbnail = joined(thumbnail, this.#thumbnail[object] ?? none)
    }
    return { flags, page, thumbnail }
  }

  /**
   * For each page but the first, in ascending order, the places of what it needs.
   *
   * @param placeOfObject -1 for what has no place
   */
  sharedByPage(placeOfObject: Int32Array): number[][] {
    return this.#pages.slice(1).map((page) => {
      const places = new Set<number>()
      const mark = (object: number): void => {
        const place = placeOfObject[object] ?? none
        if (place !== none) places.add(place)
      }
      this.#walkPage(page, mark, () => {})
      return [...places].sort((a, b) => a - b)
    })
  }

  #flagger(flag: number): Mark {
    const flags = this.#flags
    return (object) => {
      flags[object] = (flags[object] ?? 0) | flag
    }
  }

  /** A page's thumbnail is a user of its own (F.3.10); what the page has met before belongs to the page. */
  #walkPage({ index, parent, thumbnail }: WrittenPage, mark: Mark, markThumbnail: Mark): void {
    this.#walks += 1
    this.#walk[index] = this.#walks
    mark(index)
    const [from, to] = this.#objects.references(index)
    this.#follow([from, parent[0]], mark)
    this.#follow([parent[1], thumbnail[0]], mark)
    this.#follow(thumbnail, markThumbnail)
    this.#follow([thumbnail[1], to], mark)
  }

  #follow([from, to]: ReferenceRange, mark: Mark): void {
    for (let reference = from; reference < to; reference += 1) {
      this.#pending.push(this.#objects.target(reference))
    }
    this.#proceed(mark)
  }

  /** Marks what can be reached without entering a page and was not met in this walk before. */
  #proceed(mark: Mark): void {
    const pending = this.#pending
    for (let object = pending.pop(); object !== undefined; object = pending.pop()) {
      if (this.#walk[object] === this.#walks || this.#isPage[object] === 1) continue
      this.#walk[object] = this.#walks
      mark(object)
      const [from, to] = this.#objects.references(object)
      this.#steps += to - from + 1
      if (this.#steps > maximumSteps) {
        throw new NotLinearizableError('its pages share too much to be told apart')
      }
      for (let reference = from; reference < to; reference += 1) {
        pending.push(this.#objects.target(reference))
      }
    }
  }
}

type Mark = (object: number) => void

/** Pages times what each of them can reach: less than a second of work. */
const maximumSteps = 20_000_000

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
