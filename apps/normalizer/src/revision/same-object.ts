import { decodeStreamPartly } from '../pdf/filter/decode-stream.ts'
import {
  isName,
  PdfDictionary,
  PdfName,
  type PdfObject,
  PdfReference,
  PdfStream,
  PdfString,
} from '../pdf/object.ts'
import type { ObjectGraph } from '../pdf/object-graph.ts'
import { contentNames } from './content-names.ts'
import { contentDigest } from './content-tokens.ts'
import type { RevisionPair } from './revision-pair.ts'

/** Where two objects differ: the number of the innermost numbered object around the place; null if there is none. */
export interface Difference {
  readonly object: number | null
}

/** What the comparisons of one file may cost. */
export class ComparisonBudget {
  #remaining = 3_000_000

  /** @throws {ComparisonBudgetError} */
  chargePair(): void {
    this.#charge(1)
  }

  /** Bytes are cheaper to go through than objects. */
  chargeBytes(count: number): void {
    this.#charge(count / 64)
  }

  /** Splitting bytes into tokens is not. */
  chargeTokens(byteCount: number): void {
    this.#charge(byteCount / 2)
  }

  #charge(pairs: number): void {
    this.#remaining -= Math.ceil(pairs)
    if (this.#remaining < 0) throw new ComparisonBudgetError()
  }
}

/** Documents that are too large to be compared to the end are not known to be the same. */
export class ComparisonBudgetError extends Error {
  constructor() {
    super('The documents are too large to be compared')
    this.name = 'ComparisonBudgetError'
  }
}

/**
 * Compares objects of two documents by what they mean, following references: streams by their decoded data, content by
 * its operators, numbers with the tolerance of what writers round.
 */
export class ObjectComparison {
  readonly #pair: RevisionPair
  /** Pages and the catalog: they are compared on their own, so here only their numbers count. */
  readonly #landmarks: ReadonlySet<number>
  /** Numbers under which the same stands on both sides, with all that it refers to. */
  readonly #same = new Set<number>()
  readonly #different = new Map<string, Difference>()
  readonly #budget: ComparisonBudget
  /** Of the earlier document; undefined until they are asked for. */
  #contentNames: ReadonlySet<string> | null | undefined

  constructor(pair: RevisionPair, landmarks: ReadonlySet<number>, budget: ComparisonBudget) {
    this.#pair = pair
    this.#budget = budget
    this.#landmarks = landmarks
  }

  /**
   * The first difference, or null.
   *
   * @param holder number of the object in which the two stand
   * @param role what they are for it
   * @throws {ComparisonBudgetError}
   */
  difference(
    earlier: PdfObject | undefined,
    later: PdfObject | undefined,
    holder: number | null,
    role: Role = null,
  ): Difference | null {
    const known =
      earlier instanceof PdfReference && later instanceof PdfReference
        ? this.#different.get(pairedNumber(earlier, later))
        : undefined
    if (known !== undefined) return known

    const met = new Set<number | string>()
    const pending: Task[] = [{ earlier: earlier ?? null, later: later ?? null, holder, role }]
    for (let task = pending.pop(); task !== undefined; task = pending.pop()) {
      this.#budget.chargePair()
      if (this.#advance(task, pending, met)) continue

      const found = { object: task.holder }
      if (earlier instanceof PdfReference && later instanceof PdfReference)
        this.#different.set(pairedNumber(earlier, later), found)
      return found
    }
    for (const number of met) if (typeof number === 'number') this.#same.add(number)
    return null
  }

  /** Compares one pair and puts what it holds on the list; false when it differs. */
  #advance(task: Task, pending: Task[], met: Set<number | string>): boolean {
    const { earlier, later, holder } = task
    if (earlier instanceof PdfReference || later instanceof PdfReference)
      return this.#follow(task, pending, met)

    if (earlier instanceof PdfStream)
      return later instanceof PdfStream && this.#streams(earlier, later, holder, pending)
    if (Array.isArray(earlier)) {
      if (!Array.isArray(later) || earlier.length !== later.length) return false
      for (const [index, item] of earlier.entries())
        pushUnlessSame(pending, item, later[index], holder)
      return true
    }
    if (earlier instanceof PdfDictionary) {
      if (!(later instanceof PdfDictionary)) return false
      if (task.role === null) pushEntries(pending, earlier, later, holder, noKeys)
      else if (task.role === 'outline') pushOutlineItem(pending, earlier, later, holder)
      else this.#resources(task.role, earlier, later, holder, pending)
      return true
    }
    return sameScalar(earlier, later)
  }

  /** A name that is added and that no content has changes nothing; one that content has may have been missing. */
  #resources(
    role: 'resources' | 'category',
    earlier: PdfDictionary,
    later: PdfDictionary,
    holder: number | null,
    pending: Task[],
  ): void {
    const roleOfEntries = role === 'resources' ? 'category' : null
    for (const key of new Set([...earlier.keys(), ...later.keys()])) {
      // 14.2: procedure sets are obsolete.
      if (role === 'resources' && key === 'ProcSet') continue
      const isAdded = !earlier.has(key)
      if (role === 'category' && isAdded && !this.#isInContent(key)) continue
      const none = role === 'resources' && isAdded ? new PdfDictionary() : null
      const [left, right] = [earlier.get(key) ?? none, later.get(key) ?? null]
      pending.push({ earlier: left, later: right, holder, role: roleOfEntries })
    }
  }

  #isInContent(name: string): boolean {
    if (this.#contentNames === undefined)
      this.#contentNames = contentNames(this.#pair.before, this.#budget)
    return this.#contentNames === null || this.#contentNames.has(name)
  }

  #follow(
    { earlier, later, holder, role }: Task,
    pending: Task[],
    met: Set<number | string>,
  ): boolean {
    const { before, after } = this.#pair
    const left = earlier instanceof PdfReference ? earlier.number : null
    const right = later instanceof PdfReference ? later.number : null
    if (left !== null && this.#landmarks.has(left)) return left === right
    if (right !== null && this.#landmarks.has(right)) return false

    if (misses(before, earlier) !== misses(after, later)) return false

    if (left !== null && right !== null) {
      const key = left === right ? left : `${left} ${right}`
      if (met.has(key) || (left === right && this.#same.has(left))) return true
      met.add(key)
    }
    pending.push({
      earlier: before.resolve(earlier),
      later: after.resolve(later),
      holder: right ?? left ?? holder,
      role,
    })
    return true
  }

  #streams(earlier: PdfStream, later: PdfStream, holder: number | null, pending: Task[]): boolean {
    const { before, after } = this.#pair
    pushEntries(pending, earlier.dictionary, later.dictionary, holder, incidentalStreamKeys)
    if (earlier === later) return true

    const left = decodeStreamPartly(before, earlier)
    const right = decodeStreamPartly(after, later)
    this.#budget.chargeBytes(left.bytes.length + right.bytes.length)
    if (left.remainingFilters.join() !== right.remainingFilters.join()) return false
    if (left.remainingFilters.length > 0) {
      const key = 'DecodeParms'
      pushEntry(pending, earlier.dictionary, later.dictionary, key, holder)
    }
    if (Buffer.compare(left.bytes, right.bytes) === 0) return true
    if (left.remainingFilters.length > 0 || !isContentStream(earlier)) return false
    this.#budget.chargeTokens(left.bytes.length + right.bytes.length)
    return contentDigest([left.bytes]) === contentDigest([right.bytes])
  }
}

/** Whether a reference names another generation than its object has: strict readers find nothing there. */
function misses(graph: ObjectGraph, object: PdfObject): boolean {
  return object instanceof PdfReference && graph.generation(object.number) !== object.generation
}

interface Task {
  readonly earlier: PdfObject
  readonly later: PdfObject
  readonly holder: number | null
  readonly role: Role
}

/** A resource dictionary (ISO 32000-2, 7.8.3), the dictionary of one kind of resource in it, or part of an outline. */
export type Role = 'resources' | 'category' | 'outline' | null

/** How the data is packed, and what nobody is shown. */
const incidentalStreamKeys: ReadonlySet<string> = new Set([
  'Length',
  'Filter',
  'DecodeParms',
  'DP',
  'DL',
  'Type',
  'Metadata',
  'PieceInfo',
  'LastModified',
  'StructParent',
  'StructParents',
])
const noKeys: ReadonlySet<string> = new Set()

function pushEntries(
  pending: Task[],
  earlier: PdfDictionary,
  later: PdfDictionary,
  holder: number | null,
  ignored: ReadonlySet<string>,
): void {
  for (const key of earlier.keys())
    if (!ignored.has(key)) pushEntry(pending, earlier, later, key, holder)
  if (earlier === later) return
  for (const key of later.keys())
    if (!ignored.has(key) && !earlier.has(key)) pushEntry(pending, earlier, later, key, holder)
}

/** 12.3.3: an item leads to its neighbours, and by `/SE` into the structure tree, which is compared apart. */
function pushOutlineItem(
  pending: Task[],
  earlier: PdfDictionary,
  later: PdfDictionary,
  holder: number | null,
): void {
  for (const key of new Set([...earlier.keys(), ...later.keys()])) {
    if (key === 'SE') continue
    const role = outlineLinks.has(key) ? 'outline' : null
    pushUnlessSame(pending, earlier.get(key), later.get(key), holder, role)
  }
}

const outlineLinks: ReadonlySet<string> = new Set(['First', 'Last', 'Next', 'Prev', 'Parent'])

function pushEntry(
  pending: Task[],
  earlier: PdfDictionary,
  later: PdfDictionary,
  key: string,
  holder: number | null,
): void {
  const role = key === 'Resources' ? 'resources' : null
  pushUnlessSame(pending, earlier.get(key), later.get(key), holder, role)
}

/** Numbers, names and the like that are the very same need no look; most of a document is of that kind. */
function pushUnlessSame(
  pending: Task[],
  earlier: PdfObject | undefined,
  later: PdfObject | undefined,
  holder: number | null,
  role: Role = null,
): void {
  const isPlain = typeof earlier !== 'object' || earlier === null || earlier instanceof PdfName
  if (earlier === later && isPlain) return
  pending.push({ earlier: earlier ?? null, later: later ?? null, holder, role })
}

/** Null, numbers, names and strings; anything else differs. */
function sameScalar(earlier: PdfObject, later: PdfObject): boolean {
  if (earlier === later) return true
  if (typeof earlier === 'number' && typeof later === 'number') return sameNumber(earlier, later)
  if (earlier instanceof PdfName) return later instanceof PdfName && earlier.value === later.value
  if (earlier instanceof PdfString)
    return later instanceof PdfString && Buffer.compare(earlier.bytes, later.bytes) === 0
  return false
}

/** Writers round to some decimals, of which small numbers such as those of a font matrix need more. */
function sameNumber(earlier: number, later: number): boolean {
  const difference = Math.abs(earlier - later)
  const size = Math.max(Math.abs(earlier), Math.abs(later))
  return difference <= 1e-6 || (difference <= 0.01 && difference <= size * 1e-3)
}

function isContentStream({ dictionary }: PdfStream): boolean {
  return isName(dictionary.get('Subtype'), 'Form') || dictionary.get('PatternType') === 1
}

function pairedNumber(earlier: PdfReference, later: PdfReference): string {
  return `${earlier.number} ${later.number}`
}
