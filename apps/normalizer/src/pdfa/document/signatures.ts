import { documentCatalog } from '../../pdf/catalog.ts'
import { type PdfDictionary, type PdfObject, PdfString } from '../../pdf/object.ts'
import { skipEndOfLine } from '../../pdf/reading/character-set.ts'
import { numbersOf } from '../../pdf/rectangle.ts'
import { gapIsContents } from '../../signature/byte-range.ts'
import { signedDataOutline } from '../../signature/cms.ts'
import { unlessMalformed } from '../../signature/malformed.ts'
import type { Place } from '../failures.ts'
import { RuleSet } from '../rule.ts'
import type { Validation } from '../validation.ts'
import { dictionaryAt, entryKeys, hasEntry, itemsAt, placeOf } from './entry.ts'

/** Values that may be read of all signatures together; those of long-term validation have some thousand each. */
const maxValues = 200_000

/** The signatures that fields have as their values (ISO 32000-2, 12.8), each once. */
export class SignatureChecks {
  readonly #validation: Validation
  readonly #budget = { remaining: maxValues }
  readonly #judged = new Set<PdfDictionary>()

  constructor(validation: Validation) {
    this.#validation = validation
  }

  check(signature: PdfObject | undefined, field: Place): void {
    const { graph } = this.#validation
    const dictionary = dictionaryAt(graph, signature)
    if (dictionary === null || this.#judged.has(dictionary)) return
    this.#judged.add(dictionary)
    const place = placeOf(signature, field)
    const coversFile = coversItsRevision(this.#validation, dictionary, place)
    this.#validation.check(signatureRules, { coversFile }, place)

    const contents = graph.resolve(dictionary.get('Contents'))
    if (contents instanceof PdfString) {
      const outline = unlessMalformed(() => signedDataOutline(contents.bytes, this.#budget))
      this.#validation.check(signedDataRules, outline ?? unreadable, place)
    }
    for (const reference of itemsAt(graph, dictionary.get('Reference'))) {
      this.#checkReference(reference, place)
    }
  }

  #checkReference(reference: PdfObject, signature: Place): void {
    const { graph } = this.#validation
    const dictionary = dictionaryAt(graph, reference)
    if (dictionary === null) return
    const permissions = dictionaryAt(graph, documentCatalog(graph).get('Perms'))
    const isCertified = permissions !== null && hasEntry(permissions, 'DocMDP')
    const facts = { isCertified, keys: entryKeys(dictionary) }
    this.#validation.check(referenceRules, facts, placeOf(reference, signature))
  }
}

const unreadable = { signers: 0, hasCertificates: false }

/** Whether the byte range is all of the file that there was, but for the value of `/Contents` with its brackets. */
function coversItsRevision(
  { file }: Validation,
  dictionary: PdfDictionary,
  { object }: Place,
): boolean {
  const { bytes, graph } = file
  const range = numbersOf(graph, dictionary.get('ByteRange'), 4)
  if (range === null || range.some((number) => number < 0)) return false
  const [start = 0, gapStart = 0, gapEnd = 0, rest = 0] = range.map(Math.trunc)
  const end = gapEnd + rest
  if (start !== 0 || gapStart > gapEnd || end > bytes.length) return false
  if (bytes[gapStart] !== 0x3c || !endsRevision(bytes, gapEnd, end)) return false
  const value = { fieldName: '', dictionary, objectNumber: object?.number ?? null }
  return gapIsContents(file, value, { gapStart, gapEnd, end })
}

/**
 * Whether the next `%%EOF` ends there. Its end-of-line belongs to it; where something was appended, that may have come
 * with what was appended.
 */
function endsRevision(bytes: Uint8Array, from: number, end: number): boolean {
  const marker = nextMarker(bytes, from)
  if (marker === -1) return end === bytes.length
  const markerEnd = marker + '%%EOF'.length
  if (end === markerEnd && nextMarker(bytes, markerEnd) !== -1) return true
  return end === skipEndOfLine(bytes, markerEnd)
}

/** Of a line that begins with it; -1 where there is none. */
function nextMarker(bytes: Uint8Array, from: number): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let marker = buffer.indexOf('%%EOF', from, 'latin1')
  while (marker > 0 && !isEndOfLine(bytes[marker - 1])) {
    marker = buffer.indexOf('%%EOF', marker + 1, 'latin1')
  }
  return marker
}

function isEndOfLine(byte: number | undefined): boolean {
  return byte === 0x0a || byte === 0x0d
}

const signatureRules = new RuleSet<{ readonly coversFile: boolean }>('signature', [
  {
    clauses: { '2-3': '6.4.3 t1' },
    description: 'Signatures cover the whole file but for their own value',
    holds: ({ coversFile }) => coversFile,
  },
])

interface SignedDataOutline {
  readonly signers: number
  readonly hasCertificates: boolean
}

const signedDataRules = new RuleSet<SignedDataOutline>('signature value', [
  {
    clauses: { '2-3': '6.4.3 t2' },
    description: 'The value of a signature is of PKCS#7 and has a certificate',
    holds: ({ hasCertificates }) => hasCertificates,
  },
  {
    clauses: { '2-3': '6.4.3 t3' },
    description: 'The value of a signature is of PKCS#7 and has one signer',
    holds: ({ signers }) => signers === 1,
    found: ({ signers }) => `${signers}`,
  },
])

interface SignatureReference {
  /** Whether the permissions name a certifying signature. */
  readonly isCertified: boolean
  readonly keys: readonly string[]
}

const referenceRules = new RuleSet<SignatureReference>('signature reference', [
  {
    clauses: { '2-3': '6.1.12 t2' },
    description: 'Signature references of a certified document have no digest of their own',
    holds: (facts) => !facts.isCertified || digestKeys(facts).length === 0,
    found: (facts) =>
      digestKeys(facts)
        .map((key) => `/${key}`)
        .join(' '),
  },
])

function digestKeys({ keys }: SignatureReference): string[] {
  return keys.filter((key) => ['DigestLocation', 'DigestMethod', 'DigestValue'].includes(key))
}
