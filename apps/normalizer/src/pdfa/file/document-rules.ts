import { RuleSet } from '../rule.ts'

/** The file as a whole, with its trailers and its catalog. */
export interface DocumentFacts {
  /** Where `%PDF-` stands; null if nowhere near the beginning. */
  readonly headerOffset: number | null
  /** The line from `%PDF-` on, without its end-of-line. */
  readonly headerLine: string
  /** What follows the end-of-line of the header: five bytes at most. */
  readonly secondLine: Uint8Array
  /** Bytes behind the last `%%EOF` and the end-of-line that may follow it; null if there is no such marker. */
  readonly trailingBytes: number | null
  readonly isLinearized: boolean
  readonly isEncrypted: boolean
  readonly hasCrossReferenceStream: boolean
  /** Whether readers find every object without looking for it. */
  readonly isCrossReferenceSound: boolean
  /**
   * The strings of `/ID`, one after the other, in the trailer that a linearized file begins with, which is that of all
   * others, too; null if it is no array.
   */
  readonly firstIdentifier: string | null
  /** The same in the trailer that stands last in the file. */
  readonly lastIdentifier: string | null
  readonly hasInfo: boolean
  /** Of the catalog. */
  readonly hasPieceInfo: boolean
  readonly hasOptionalContent: boolean
  readonly hasRequirements: boolean
  readonly needsRendering: boolean
  readonly isMarked: boolean
  /** `/EmbeddedFiles` of the name dictionary. */
  readonly hasEmbeddedFiles: boolean
  /** `/Version` of the catalog, when it is a name. */
  readonly catalogVersion: string | null
  readonly indirectObjects: number
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
  {
    clauses: { '1': '6.1.2 t2', '2-4': '6.1.2 t2' },
    description: 'A comment of at least four bytes above 127 follows the header line',
    holds: ({ secondLine: [percent, ...bytes] }) =>
      percent === 0x25 && bytes.length === 4 && bytes.every((byte) => byte > 127),
  },
  {
    clauses: { '1': '6.1.3 t1' },
    description: 'The trailer has a file identifier (ID)',
    holds: (facts) => identifier(facts) !== null,
  },
  {
    clauses: { '2-4': '6.1.3 t1' },
    description: 'The trailer has a file identifier (ID) that is not empty',
    holds: (facts) => (identifier(facts) ?? '') !== '',
  },
  {
    clauses: { '1': '6.1.3 t2', '2-4': '6.1.3 t2' },
    description: 'The document is not encrypted',
    holds: ({ isEncrypted }) => !isEncrypted,
  },
  {
    clauses: { '1': '6.1.3 t3', '2-4': '6.1.3 t3' },
    description: 'Nothing but one end-of-line follows the last %%EOF',
    holds: ({ trailingBytes }) => trailingBytes === 0,
    found: ({ trailingBytes }) => {
      return trailingBytes === null ? 'no %%EOF' : `${trailingBytes} bytes`
    },
  },
  {
    clauses: { '1': '6.1.3 t4' },
    description: 'The first and the last trailer of a linearized file have the same ID',
    holds: ({ isLinearized, firstIdentifier, lastIdentifier }) =>
      !isLinearized || lastIdentifier === null || firstIdentifier === lastIdentifier,
  },
  {
    clauses: { '4': '6.1.3 t4' },
    description: 'The trailer has Info only when the catalog has PieceInfo',
    holds: ({ hasInfo, hasPieceInfo }) => !hasInfo || hasPieceInfo,
  },
  {
    clauses: { '1': '6.1.4 t3' },
    description: 'There are no cross-reference streams',
    holds: ({ hasCrossReferenceStream }) => !hasCrossReferenceStream,
  },
  {
    // Readers make up for it, and not all of them alike.
    clauses: { '1': '6.1.4 t4', '2-4': '6.1.4 t4' },
    description: 'startxref leads to the cross-reference data, and these to every object',
    holds: ({ isCrossReferenceSound }) => isCrossReferenceSound,
  },
  {
    clauses: { '1': '6.1.11 t2' },
    description: 'The name dictionary has no EmbeddedFiles',
    holds: ({ hasEmbeddedFiles }) => !hasEmbeddedFiles,
  },
  {
    clauses: { '4f': '6.9 t5' },
    description: 'The name dictionary has EmbeddedFiles',
    holds: ({ hasEmbeddedFiles }) => hasEmbeddedFiles,
  },
  {
    clauses: { '1': '6.1.12 t7', '2-3': '6.1.13 t7' },
    description: 'There are at most 8388607 indirect objects',
    holds: ({ indirectObjects }) => indirectObjects <= 8_388_607,
    found: ({ indirectObjects }) => `${indirectObjects}`,
  },
  {
    clauses: { '4': '6.1.12 t1' },
    description: 'Version in the catalog is 2.n',
    holds: ({ catalogVersion }) => catalogVersion === null || /^2\.[0-9]$/.test(catalogVersion),
    found: ({ catalogVersion }) => `${catalogVersion}`,
  },
  {
    clauses: { '1': '6.1.13 t1' },
    description: 'The catalog has no OCProperties',
    holds: ({ hasOptionalContent }) => !hasOptionalContent,
  },
  {
    clauses: { '2-4': '6.4.2 t2' },
    description: 'The catalog has no NeedsRendering',
    holds: ({ needsRendering }) => !needsRendering,
  },
  {
    clauses: { '1a': '6.8.2.2 t1', '2a 3a': '6.7.2.2 t1' },
    description: 'MarkInfo in the catalog has Marked with the value true',
    holds: ({ isMarked }) => isMarked,
  },
  {
    clauses: { '2-3': '6.11 t1', '4': '6.12 t1' },
    description: 'The catalog has no Requirements',
    holds: ({ hasRequirements }) => !hasRequirements,
  },
])

function headerFound({ headerOffset, headerLine }: DocumentFacts): string {
  if (headerOffset === null) return 'there is none'
  return headerOffset === 0 ? headerLine.slice(0, 40) : `it stands at offset ${headerOffset}`
}

/** Of a linearized file the first trailer counts. */
function identifier({
  isLinearized,
  firstIdentifier,
  lastIdentifier,
}: DocumentFacts): string | null {
  return isLinearized ? firstIdentifier : lastIdentifier
}
