import { RuleSet } from '../rule.ts'

/** A cross-reference section that is a table (ISO 32000-1, 7.5.4). */
export interface CrossReferenceFacts {
  /** One end-of-line and nothing else stands between `xref` and the first subsection. */
  readonly keywordSpacing: boolean
  /** One space stands between the two numbers at the head of every subsection. */
  readonly spacedSubsections: boolean
}

export const crossReferenceRules = new RuleSet<CrossReferenceFacts>('Cross-reference section', [
  {
    clauses: { '1': '6.1.4 t1' },
    description:
      'The two numbers at the head of a cross-reference subsection stand one space apart',
    holds: ({ spacedSubsections }) => spacedSubsections,
  },
  {
    clauses: { '1': '6.1.4 t2', '2-3': '6.1.4 t2', '4': '6.1.4 t1' },
    description: 'One end-of-line stands between xref and the first subsection',
    holds: ({ keywordSpacing }) => keywordSpacing,
  },
])
