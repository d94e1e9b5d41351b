import { spellingOf, type WrittenDocument, type WrittenObject } from './written-document.ts'

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

export function combine(uses: readonly Use[]): Use {
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
export class ObjectUsers {
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

  /**
   * For each page but the first, in ascending order, the places of what it needs.
   *
   * @param placeOfObject -1 for what has no place
   */
  sharedByPage(document: WrittenDocument, placeOfObject: Int32Array): number[][] {
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
