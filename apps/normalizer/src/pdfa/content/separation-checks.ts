import { createHash, type Hash } from 'node:crypto'
import type { ContentBudget } from '../../pdf/content/content-budget.ts'
import {
  type PdfDictionary,
  PdfName,
  type PdfObject,
  PdfReference,
  PdfStream,
  PdfString,
} from '../../pdf/object.ts'
import type { ObjectGraph } from '../../pdf/object-graph.ts'
import type { Place } from '../failures.ts'
import { RuleSet } from '../rule.ts'
import type { Validation } from '../validation.ts'
import type { Separation } from './colour-space.ts'

/** Separations of one name, all over the document (ISO 19005-2, 6.2.4.4). */
export class SeparationChecks {
  readonly #validation: Validation
  readonly #budget: ContentBudget
  readonly #firstOfName = new Map<string, Separation>()
  readonly #digests = new Map<readonly PdfObject[], string>()

  constructor(validation: Validation, budget: ContentBudget) {
    this.#validation = validation
    this.#budget = budget
  }

  check(separation: Separation, place: Place): void {
    const { name } = separation
    if (!(name instanceof PdfName)) return
    const first = this.#firstOfName.get(name.value)
    if (first === undefined) {
      this.#firstOfName.set(name.value, separation)
      return
    }
    const isConsistent = first.array === separation.array || this.#areEqual(first, separation)
    this.#validation.check(separationRules, { name: name.value, isConsistent }, place)
  }

  #areEqual(one: Separation, other: Separation): boolean {
    return this.#digest(one) === this.#digest(other)
  }

  #digest({ array }: Separation): string {
    const known = this.#digests.get(array)
    if (known !== undefined) return known
    const digest = digestOf(this.#validation.graph, array.slice(2, 4), this.#budget)
    this.#digests.set(array, digest)
    return digest
  }
}

/**
 * The same for objects that are spelled alike, whatever the order of keys. An object that is referred to and the same one
 * in place differ; objects that are referred to under different numbers do not.
 */
function digestOf(
  graph: ObjectGraph,
  objects: readonly PdfObject[],
  budget: ContentBudget,
): string {
  const hash = createHash('sha256')
  const seen = new Map<PdfObject, number>()
  const pending: Step[] = [...objects].reverse()
  for (let left = maxCompared; left > 0 && pending.length > 0; left--) {
    const steps = stepsInto(graph, pending.pop() ?? null, seen, hash)
    budget.spend(steps.length * stepBytes)
    // A spread of so many would not fit on the call stack.
    for (const step of steps) pending.push(step)
  }
  return hash.digest('hex')
}

/** What comparing an object costs, as bytes of content. */
const stepBytes = 64
/** Objects that are compared of one separation; no function has as many. */
const maxCompared = 100_000

type Step = PdfObject | Mark

/** Punctuation between objects. */
class Mark {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Adds the object to the hash; what it holds is returned, last first. */
function stepsInto(
  graph: ObjectGraph,
  step: Step,
  seen: Map<PdfObject, number>,
  hash: Hash,
): Step[] {
  if (step instanceof Mark) {
    hash.update(step.text)
    return []
  }
  if (step instanceof PdfReference) {
    hash.update('&')
    return [graph.resolve(step)]
  }
  if (step === null || typeof step !== 'object') {
    hash.update(`${String(step)} `)
    return []
  }
  if (step instanceof PdfName) {
    hash.update(`/${step.value} `)
    return []
  }
  if (step instanceof PdfString) {
    hash.update(`(${step.bytes.length}:`).update(step.bytes)
    return []
  }
  const before = seen.get(step)
  if (before !== undefined) {
    hash.update(`#${before} `)
    return []
  }
  seen.set(step, seen.size)
  if (Array.isArray(step)) {
    hash.update('[')
    return [new Mark(']'), ...step.toReversed()]
  }
  if (step instanceof PdfStream) {
    hash.update(`stream ${step.data.length}:`).update(step.data)
    return [step.dictionary]
  }
  hash.update('<<')
  return [new Mark('>>'), ...entriesOf(step).reverse()]
}

function entriesOf(dictionary: PdfDictionary): Step[] {
  const ordered = dictionary.inByteOrder()
  return ordered.map((item) => (typeof item === 'string' ? new Mark(`/${item} `) : item))
}

interface SeparationFacts {
  readonly name: string
  readonly isConsistent: boolean
}

const separationRules = new RuleSet<SeparationFacts>('Separation colour space', [
  {
    clauses: { '2-4': '6.2.4.4 t2' },
    description: 'Separations of one name have the same alternate colour space and tint transform',
    holds: ({ isConsistent }) => isConsistent,
  },
])
