import { Oddity } from '../../pdf/reading/oddity.ts'
import { RuleSet } from '../rule.ts'

/** An object with all that it holds directly, or the operands of a content stream. */
export interface DirectObjectFacts {
  /** As bits of {@link Oddity}. */
  readonly oddities: number
}

/** How strings, names and numbers are spelled, and how large objects may be (ISO 32000-1, annex C). */
export const directObjectRules = new RuleSet<DirectObjectFacts>('Direct object', [
  {
    clauses: { '1': '6.1.6 t1', '2-3': '6.1.6 t1', '4': '6.1.5 t1' },
    description: 'Hexadecimal strings have an even number of characters besides white space',
    holds: without(Oddity.oddHexString),
  },
  {
    clauses: { '1': '6.1.6 t2', '2-3': '6.1.6 t2', '4': '6.1.5 t2' },
    description: 'Hexadecimal strings hold hexadecimal digits and white space only',
    holds: without(Oddity.foreignInHexString),
  },
  {
    clauses: { '1': '6.1.12 t1', '2-3': '6.1.13 t1' },
    description: 'Integers lie between -2147483648 and 2147483647',
    holds: without(Oddity.largeInteger),
  },
  {
    clauses: { '1': '6.1.12 t2' },
    description: 'Real numbers lie between -32767 and 32767',
    holds: without(Oddity.realBeyond16Bits),
  },
  {
    clauses: { '2-3': '6.1.13 t2' },
    description: 'Real numbers lie between -3.403 × 10^38 and 3.403 × 10^38',
    holds: without(Oddity.largeReal),
  },
  {
    clauses: { '1': '6.1.12 t3' },
    description: 'Strings have at most 65535 bytes',
    holds: without(Oddity.veryLongString),
  },
  {
    clauses: { '2-3': '6.1.13 t3' },
    description: 'Strings have at most 32767 bytes',
    holds: without(Oddity.longString),
  },
  {
    clauses: { '1': '6.1.12 t4', '2-3': '6.1.13 t4' },
    description: 'Names have at most 127 bytes',
    holds: without(Oddity.longName),
  },
  {
    clauses: { '1': '6.1.12 t5' },
    description: 'Arrays have at most 8191 elements',
    holds: without(Oddity.largeArray),
  },
  {
    clauses: { '2-3': '6.1.13 t5' },
    description: 'Real numbers other than 0 are at least 1.175 × 10^-38 away from it',
    holds: without(Oddity.tinyReal),
  },
  {
    clauses: { '1': '6.1.12 t6' },
    description: 'Dictionaries have at most 4095 entries',
    holds: without(Oddity.largeDictionary),
  },
])

function without(oddity: number): (facts: DirectObjectFacts) => boolean {
  return ({ oddities }) => (oddities & oddity) === 0
}
