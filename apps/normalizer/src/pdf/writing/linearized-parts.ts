import { evenRuns } from './object-stream-packing.ts'
import { combine, NotLinearizableError, ObjectUsers, type Place, placeOf } from './object-users.ts'
import { spellingOf, type WrittenDocument } from './written-document.ts'

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
  const users = new ObjectUsers(document)
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
    sharedByPage: users.sharedByPage(document, placesOf(document, [...firstPart, ...shared])),
    outlines,
  }
}

/**
 * Each object by itself, or the small ones together in object streams; never objects of different parts in one. The
 * catalog and pages stay by themselves (7.5.7).
 */
function formUnits(document: WrittenDocument, users: ObjectUsers, packed: boolean): Unit[] {
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

/** For each object the place of its unit in the list; -1 for those that are not in it. */
function placesOf(document: WrittenDocument, units: readonly Unit[]): Int32Array {
  const places = new Int32Array(document.objects.length).fill(-1)
  for (const [place, { members }] of units.entries()) {
    for (const member of members) places[member] = place
  }
  return places
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
