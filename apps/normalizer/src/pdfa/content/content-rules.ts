import { RuleSet } from '../rule.ts'

/** `q` within each other (ISO 32000-1, annex C). */
export const mostNesting = 28

/** The names of resources in a content stream, as far as they are not its own. */
interface Names {
  readonly inheritedNames: ReadonlySet<string>
  readonly undefinedNames: ReadonlySet<string>
}

export const contentRules = new RuleSet<Names>('content stream', [
  {
    clauses: { '2-4': '6.2.2 t2' },
    description:
      'Content streams have all resources that they name in a resource dictionary of their own',
    holds: ({ inheritedNames }) => inheritedNames.size === 0,
    found: ({ inheritedNames }) => listed(inheritedNames),
  },
  {
    clauses: { '4': '6.2.2 t3' },
    description: 'Content streams name only resources that are there',
    holds: ({ undefinedNames }) => undefinedNames.size === 0,
    found: ({ undefinedNames }) => listed(undefinedNames),
  },
])

function listed(names: ReadonlySet<string>): string {
  return [...names].map((name) => JSON.stringify(name.slice(0, 40))).join(', ')
}

interface Operator {
  readonly isOperator: boolean
  /** Null for what is longer than any operator, and for stray delimiters. */
  readonly spelling: string | null
}

export const operatorRules = new RuleSet<Operator>('operator', [
  {
    clauses: { '1': '6.2.10 t1', '2-4': '6.2.2 t1' },
    description: 'Content streams have only operators that ISO 32000 defines',
    holds: (facts) => facts.isOperator,
    found: ({ spelling }) =>
      spelling === null ? 'a longer word, or a stray delimiter' : JSON.stringify(spelling),
  },
])

export const nestingRules = new RuleSet<{ readonly nesting: number }>('saved graphics states', [
  {
    clauses: { '1': '6.1.12 t8', '2-3': '6.1.13 t8' },
    description: `q is nested at most ${mostNesting} times`,
    holds: ({ nesting }) => nesting <= mostNesting,
  },
])
