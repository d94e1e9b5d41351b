import { evenRuns } from './object-stream-packing.ts'
import { NotLinearizableError, ObjectUsers, type Place, placeOf } from './object-users.ts'
import type { WrittenDocument } from './written-document.ts'

/** What is written as one numbered object with an offset of its own. */
export interface Unit {
  /** Indexes into the document's objects. */
  readonly members: readonly number[]
  /** An object stream of its members; else the one member itself. */
  readonly packed: boolean
}

/** The document's objects in the order of a linearized file (ISO 32000-2, Annex F.3), by the numbers used there. */
export interface LinearizedParts {
  /** In no order; what follows names them by their index here. */
  readonly units: readonly Unit[]
  /** Part 4: the catalog first, then what is needed to open the document. */
  readonly opening: readonly number[]
  /** Part 6: the first page's object first, then all that it needs. */
  readonly firstPage: readonly number[]
  /** Part 7: for each further page its object, then what is its own. */
  readonly otherPages: readonly (readonly number[])[]
  /** Part 8: what several further pages need. */
  readonly shared: readonly number[]
  /** Part 9: page tree, thumbnails, outlines, the rest. */
  readonly rest: readonly number[]
  /** For each page but the first: what of part 6 and part 8 it needs, as places in the one list of both. */
  readonly sharedByPage: readonly (readonly number[])[]
  /** The units that `/Outlines` leads to, adjacent in part 6 or part 9; empty without outlines. */
  readonly outlines: readonly number[]
}

/** @throws {NotLinearizableError} without pages, or when pages and what they share take too many steps to follow */
export function linearizedParts(document: WrittenDocument, packed: boolean): LinearizedParts {
  const [first, ...furtherPages] = document.pages
  if (first === undefined) throw new NotLinearizableError('the document has no pages')
  const users = new ObjectUsers(document)
  const units = formUnits(document, users, packed)

  const groups = new Map<Place, number[]>()
  const ownOfPage = new Map<number, number[]>()
  for (const [index, { members }] of units.entries()) {
    const use = users.of(members)
    const place = placeOf(use)
    if (place === 'other page') append(ownOfPage, use.page, index)
    else append(groups, place, index)
  }
  const group = (place: Place): number[] => groups.get(place) ?? []
  /** The units with the one that holds `object` in front. */
  const leading = (list: readonly number[], object: number): number[] => {
    const holder = list.find((unit) => units[unit]?.members.includes(object))
    return holder === undefined ? [...list] : [holder, ...list.filter((unit) => unit !== holder)]
  }
  const root = outlinesRoot(document)
  const outlines = root === null ? group('outlines') : leading(group('outlines'), root)
  const outlinesOnFirstPage = outlines.length > 0 && document.opensWithOutlines

  const firstPage = [
    ...leading(group('first page'), first.index),
    ...(outlinesOnFirstPage ? outlines : []),
  ]
  const shared = group('shared')
  const places = new Int32Array(document.objects.count).fill(-1)
  for (const [place, unit] of [...firstPage, ...shared].entries()) {
    for (const member of units[unit]?.members ?? []) places[member] = place
  }
  return {
    units,
    opening: [...leading(group('catalog'), document.root), ...group('opening')],
    firstPage,
    otherPages: furtherPages.map(({ index }, page) =>
      leading(ownOfPage.get(page + 1) ?? [], index),
    ),
    shared,
    rest: [
      ...group('page tree'),
      ...group('thumbnail'),
      ...(outlinesOnFirstPage ? [] : outlines),
      ...group('rest'),
    ],
    sharedByPage: users.sharedByPage(places),
    outlines,
  }
}

/**
 * Each object by itself, or the small ones together in object streams; never objects of different parts in one. The
 * catalog and pages stay by themselves (7.5.7).
 */
function formUnits(document: WrittenDocument, users: ObjectUsers, packed: boolean): Unit[] {
  const single = new Set([document.root, ...document.pages.map(({ index }) => index)])
  const units: Unit[] = []
  const toPack = new Map<string, number[]>()
  for (const [index, data] of document.objects.data.entries()) {
    if (!packed || data !== null || single.has(index)) {
      units.push({ members: [index], packed: false })
      continue
    }
    append(toPack, packingGroup(placeOf(users.of([index]))), index)
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

/** The index of the object that `/Outlines` refers to; null without one. */
function outlinesRoot({ objects, catalogEntries }: WrittenDocument): number | null {
  const [from, to] = catalogEntries.get('Outlines') ?? [0, 0]
  return from === to ? null : objects.target(from)
}

function append<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}
