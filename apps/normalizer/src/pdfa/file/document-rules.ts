import { RuleSet } from '../rule.ts'

/** The file as a whole, with its trailers and its catalog. */
export interface DocumentFacts {
  /** Where `%PDF-` stands; null if nowhere near the beginning. */
  readonly headerOffset: number | null
  /** The line from `%PDF-` on, without its end-of-line. */
  readonly headerLine: string
}

export const documentRules = new RuleSet<DocumentFacts>('Document', [
  {
    clauses: { '1': '6.1.2 t1' },
    description: 'The file begins with the header %PDF-n.n',
    holds: ({ headerOffset, headerLine }) => headerOffset === 0 && /%PDF-\d\.\d/.test(headerLine),
    found: headerFound,
  },
  {
    clauses: { '2-3': '6.1.2 t1' },
    description: 'The file begins with the header %PDF-1.n, n from 0 to 7, and an end-of-line',
    holds: ({ headerOffset, headerLine }) =>
      headerOffset === 0 && /^%PDF-1\.[0-7]$/.test(headerLine),
    found: headerFound,
  },
  {
    clauses: { '4': '6.1.2 t1' },
    description: 'The file begins with the header %PDF-2.n, n from 0 to 9, and an end-of-line',
    holds: ({ headerOffset, headerLine }) =>
      headerOffset === 0 && /^%PDF-2\.[0-9]$/.test(headerLine),
    found: headerFound,
  },
])

function headerFound({ headerOffset, headerLine }: DocumentFacts): string {
  if (headerOffset === null) return 'there is none'
  return headerOffset === 0 ? headerLine.slice(0, 40) : `it stands at offset ${headerOffset}`
}
