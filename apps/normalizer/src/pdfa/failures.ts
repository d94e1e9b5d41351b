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

/** What did not hold, rule by rule. A rule that fails everywhere is told at some places, each once, and counted. */
export class Failures {
  readonly #byRule = new Map<string, FailedRule>()
  #count = 0

  /** Of all, also those that are not told. */
  get count(): number {
    return this.#count
  }

  record({ clause, test }: FlavourRule<never>, text: string, place: Place): void {
    this.#count++
    const key = `${clause} t${test}`
    const failed = this.#byRule.get(key) ?? { clause, test, count: 0, kept: [] }
    failed.count++
    const isKept = failed.kept.some(
      (one) => one.text === text && inOrder(one, { text, place }) === 0,
    )
    if (failed.kept.length < maxToldOfRule && !isKept) failed.kept.push({ text, place })
    this.#byRule.set(key, failed)
  }

  /**
   * `ISO 19005-2:2011 6.2.11.4.1 t1: … (object 12 0, page 3)`, in the order of the clauses and then of the document, at
   * most {@link maxTold}: of every rule that failed at least one, as far as there is room. The last line of a rule says
   * how many failures are not told.
   */
  lines(part: Part): string[] {
    const rules = [...this.#byRule.values()].sort(byRule)
    let room = maxTold - Math.min(rules.length, maxTold)
    return rules.slice(0, maxTold).flatMap((rule) => {
      const further = Math.min(room, rule.kept.length - 1)
      room -= further
      return linesOf(part, rule, further + 1)
    })
  }
}

function linesOf(part: Part, { clause, test, count, kept }: FailedRule, most: number): string[] {
  const told = kept.toSorted(inOrder).slice(0, most)
  return told.map(({ text, place }, index) => {
    const more = index === told.length - 1 ? count - told.length : 0
    return `${specifications[part]} ${clause} t${test}: ${text}${toldOfMore(more)}${placeTold(place)}`
  })
}

/** The interface bounds the list of errors. */
export const maxTold = 100
const maxToldOfRule = 10

interface RuleNumber {
  readonly clause: string
  readonly test: number
}

interface FailedRule extends RuleNumber {
  count: number
  /** The first that were found. */
  readonly kept: Failure[]
}

interface Failure {
  readonly text: string
  readonly place: Place
}

export function placeTold({ object, page }: Place): string {
  const parts = [
    ...(object === null ? [] : [`object ${object.number} ${object.generation}`]),
    ...(page === null ? [] : [`page ${page}`]),
  ]
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`
}

/** Of failures of the same rule that have no line of their own. */
export function toldOfMore(count: number): string {
  return count > 0 ? `; ${count} more like this` : ''
}

/** In the order of the clauses, and of the tests within one. */
export function byRule(one: RuleNumber, other: RuleNumber): number {
  return byClause.compare(one.clause, other.clause) || one.test - other.test
}

function inOrder(one: Failure, other: Failure): number {
  return (
    (one.place.page ?? 0) - (other.place.page ?? 0) ||
    (one.place.object?.number ?? 0) - (other.place.object?.number ?? 0)
  )
}

const byClause = new Intl.Collator('en', { numeric: true })
