import { type Flavour, flavours } from './flavour.ts'

/**
 * One thing that ISO 19005 asks of a kind of object. The clause and the number of the test within it are those of the
 * published validation profiles (NOTICE.md), so that findings of two validators can be compared; the words are ours.
 */
export interface Rule<Facts> {
  /** Where the parts of the standard ask for it, such as `6.2.11.4.1 t1`. Other flavours do not ask. */
  readonly clauses: Readonly<Partial<Record<FlavourGroup, string>>>
  /** What has to hold, as a sentence without its full stop. */
  readonly description: string
  readonly holds: (facts: Facts) => boolean
  /** What was found instead, where naming it helps, to be read after "here: ": a name, a number. */
  readonly found?: (facts: Facts) => string
}

/** Flavours that share the clauses of a rule. */
export type FlavourGroup = keyof typeof flavourGroups

const flavourGroups = {
  '1': ['1a', '1b'],
  '1a': ['1a'],
  '1b': ['1b'],
  '2': ['2a', '2b', '2u'],
  '3': ['3a', '3b', '3u'],
  '2-3': ['2a', '2b', '2u', '3a', '3b', '3u'],
  '2a 3a': ['2a', '3a'],
  '2b 3b': ['2b', '3b'],
  '2u 3u': ['2u', '3u'],
  '2a 2u 3a 3u': ['2a', '2u', '3a', '3u'],
  '2-4': ['2a', '2b', '2u', '3a', '3b', '3u', '4', '4e', '4f'],
  '4': ['4', '4e', '4f'],
  '4 alone': ['4'],
  '4e': ['4e'],
  '4f': ['4f'],
} as const satisfies Record<string, readonly Flavour[]>

/** A rule as one flavour asks for it. */
export interface FlavourRule<Facts> {
  /** Such as `6.2.11.4.1`. */
  readonly clause: string
  readonly test: number
  readonly rule: Rule<Facts>
}

/** The rules for one type of object. */
export class RuleSet<Facts> {
  /** The type of object, in the words of ISO 32000. */
  readonly object: string
  readonly #byFlavour: ReadonlyMap<Flavour, readonly FlavourRule<Facts>[]>

  constructor(object: string, rules: readonly Rule<Facts>[]) {
    this.object = object
    this.#byFlavour = new Map(flavours.map((flavour) => [flavour, rulesFor(flavour, rules)]))
  }

  /** In the order in which they were written. */
  of(flavour: Flavour): readonly FlavourRule<Facts>[] {
    return this.#byFlavour.get(flavour) ?? []
  }
}

function rulesFor<Facts>(flavour: Flavour, rules: readonly Rule<Facts>[]): FlavourRule<Facts>[] {
  return rules.flatMap((rule) =>
    Object.entries(rule.clauses)
      .filter(([group]) => isIn(flavour, group as FlavourGroup))
      .map(([, clause]) => ({ ...clauseAndTest(clause), rule })),
  )
}

function isIn(flavour: Flavour, group: FlavourGroup): boolean {
  const members: readonly Flavour[] = flavourGroups[group]
  return members.includes(flavour)
}

function clauseAndTest(text: string): { clause: string; test: number } {
  const [, clause, test] = /^(\d+(?:\.\d+)*) t(\d+)$/.exec(text) ?? []
  if (clause === undefined) throw new Error(`not a clause with its test: ${text}`)
  return { clause, test: Number(test) }
}
