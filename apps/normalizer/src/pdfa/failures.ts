import type { PdfReference } from '../pdf/object.ts'
import { type Part, specifications } from './flavour.ts'
import type { FlavourRule } from './rule.ts'

/** Where in the document an object stands. */
export interface Place {
  /** The indirect object that it is, or that holds it; null for the file as a whole. */
  readonly object: Pick<PdfReference, 'number' | 'generation'> | null
  /** From 1; null for what belongs to no page. */
  readonly page: number | null
}

/** The file as a whole. */
export const wholeFile: Place = { object: null, page: null }

/** What did not hold, rule by rule. A rule that fails everywhere is told at some places only, and counted. */
export class Failures {
  readonly #byRule = new Map<string, Failure[]>()
  #count = 0

  /** Of all, also those that are not told. */
  get count(): number {
    return this.#count
  }

  record({ clause, test }: FlavourRule<never>, text: string, place: Place): void {
    this.#count++
    const key = `${clause} t${test}`
    const told = this.#byRule.get(key) ?? []
    if (told.length >= maxToldOfRule) return
    told.push({ clause, test, text, place })
    this.#byRule.set(key, told)
  }

  /** Whether telling of one more place would change anything but the count. */
  isTold({ clause, test }: FlavourRule<never>): boolean {
    return (this.#byRule.get(`${clause} t${test}`)?.length ?? 0) >= maxToldOfRule
  }

  /**
   * `ISO 19005-2:2011 6.2.11.4.1 t1: … (object 12 0, page 3)`, in the order of the clauses and then of the document, at
   * most {@link maxTold}: of every rule that failed at least one, as far as there is room.
   */
  lines(part: Part): string[] {
    const rules = [...this.#byRule.values()].map((told) => [...told].sort(inOrder))
    const chosen = rules.slice(0, maxTold).flatMap((told) => told.slice(0, 1))
    const others = rules.flatMap((told) => told.slice(1))
    return [...chosen, ...others.slice(0, maxTold - chosen.length)]
      .sort(inOrder)
      .map(({ clause, test, text, place }) => {
        return `${specifications[part]} ${clause} t${test}: ${text}${told(place)}`
      })
  }
}

/** The interface bounds the list of errors. */
export const maxTold = 100
const maxToldOfRule = 10

interface Failure {
  readonly clause: string
  readonly test: number
  readonly text: string
  readonly place: Place
}

function told({ object, page }: Place): string {
  const parts = [
    ...(object === null ? [] : [`object ${object.number} ${object.generation}`]),
    ...(page === null ? [] : [`page ${page}`]),
  ]
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`
}

function inOrder(one: Failure, other: Failure): number {
  return (
    byClause.compare(one.clause, other.clause) ||
    one.test - other.test ||
    (one.place.page ?? 0) - (other.place.page ?? 0) ||
    (one.place.object?.number ?? 0) - (other.place.object?.number ?? 0)
  )
}

const byClause = new Intl.Collator('en', { numeric: true })
