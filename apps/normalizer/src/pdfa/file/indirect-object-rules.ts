import type { LexicalFacts, StreamSpelling } from '../../pdf/pdf-file.ts'
import { RuleSet } from '../rule.ts'

/** An object as it stands in the file between the end-of-lines around it. */
export const indirectObjectRules = new RuleSet<LexicalFacts>('Indirect object', [
  {
    clauses: { '1': '6.1.8 t1', '2-3': '6.1.9 t1', '4': '6.1.8 t1' },
    description:
      'Single white-space characters part number, generation and obj, and end-of-lines stand before and after them and ' +
      'endobj',
    holds: ({ objectSpacing, endobjSpacing }) => objectSpacing && endobjSpacing,
  },
])

export interface StreamFacts {
  /** The value of `/Length`; null if it is no number. */
  readonly declaredLength: number | null
  /** Null if the end of the stream is not to be found. */
  readonly spelling: StreamSpelling | null
  /** The first of `/F`, `/FFilter` and `/FDecodeParms` that the dictionary has; null if none. */
  readonly externalKey: string | null
}

export const streamRules = new RuleSet<StreamFacts>('Stream', [
  {
    clauses: { '1': '6.1.7 t1', '2-3': '6.1.7.1 t1', '4': '6.1.6.1 t1' },
    description:
      'Length is the number of bytes from the end-of-line after stream up to the one before endstream',
    holds: ({ declaredLength, spelling }) =>
      spelling === null || declaredLength === spelling.length,
    found: ({ declaredLength, spelling }) =>
      `it says ${declaredLength ?? 'nothing'}, there are ${spelling?.length ?? 0}`,
  },
  {
    clauses: { '1': '6.1.7 t2', '2-3': '6.1.7.1 t2' },
    description: 'CR and LF or LF alone follow stream, and an end-of-line stands before endstream',
    holds: ({ spelling }) => spelling === null || (spelling.keywordEol && spelling.endstreamEol),
  },
  {
    clauses: { '1': '6.1.7 t3', '2-3': '6.1.7.1 t3', '4': '6.1.6.1 t2' },
    description: 'A stream dictionary has none of F, FFilter and FDecodeParms',
    holds: ({ externalKey }) => externalKey === null,
    found: ({ externalKey }) => `${externalKey}`,
  },
])

export interface FilterFacts {
  /** As `/Filter` names it. */
  readonly name: string
  /** Of a `/Crypt` filter: whether its parameters say nothing or `/Name /Identity`. */
  readonly isIdentity: boolean
}

export const filterRules = new RuleSet<FilterFacts>('Filter', [
  {
    clauses: { '1': '6.1.10 t1' },
    description: 'The filter LZWDecode is not used',
    holds: ({ name }) => name !== 'LZWDecode',
  },
  {
    clauses: { '2-3': '6.1.7.2 t1', '4': '6.1.6.2 t1' },
    description:
      'Filters are those of ISO 32000 without LZWDecode, and Crypt only with the name Identity',
    holds: ({ name, isIdentity }) => knownFilters.has(name) || (name === 'Crypt' && isIdentity),
    found: ({ name }) => name.slice(0, 40),
  },
])

const knownFilters: ReadonlySet<string> = new Set([
  'ASCIIHexDecode',
  'ASCII85Decode',
  'FlateDecode',
  'RunLengthDecode',
  'CCITTFaxDecode',
  'JBIG2Decode',
  'DCTDecode',
  'JPXDecode',
])
