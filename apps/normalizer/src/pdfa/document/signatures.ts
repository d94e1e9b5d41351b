import { documentCatalog } from '../../pdf/catalog.ts'
import { type PdfDictionary, type PdfObject, PdfString } from '../../pdf/object.ts'
import { signedDataOutline } from '../../signature/cms.ts'
import { unlessMalformed } from '../../signature/malformed.ts'
import type { Place } from '../failures.ts'
import { RuleSet } from '../rule.ts'
import type { Validation } from '../validation.ts'
import { dictionaryAt, entryKeys, hasEntry, ItemsOnce, placeOf } from './entry.ts'
import { SignatureCoverage } from './signature-coverage.ts'

/** Values that may be read of all signatures together; those of long-term validation have some thousand each. */
const maxValues = 200_000

/** The signatures that fields have as their values (ISO 32000-2, 12.8), each once. */
export class SignatureChecks {
  readonly #validation: Validation
  readonly #budget = { remaining: maxValues }
  readonly #judged = new Set<PdfDictionary>()
  readonly #read = new Set<PdfString>()
  readonly #references: ItemsOnce
  readonly #coverage: SignatureCoverage

  constructor(validation: Validation) {
    this.#validation = validation
    this.#references = new ItemsOnce(validation.graph)
    this.#coverage = new SignatureCoverage(validation.file)
  }

  check(signature: PdfObject | undefined, field: Place): void {
    const { graph, part } = this.#validation
    // The other parts ask nothing of signatures.
    if (part !== 2 && part !== 3) return
    const dictionary = dictionaryAt(graph, signature)
    if (dictionary === null || this.#judged.has(dictionary)) return
    this.#judged.add(dictionary)
    const place = placeOf(signature, field)
    const coversFile = this.#coverage.isComplete(dictionary, place)
    this.#validation.check(signatureRules, { coversFile }, place)

    const contents = graph.resolve(dictionary.get('Contents'))
    if (contents instanceof PdfString) this.#checkContents(contents, place)
    for (const reference of this.#references.at(dictionary.get('Reference'))) {
      this.#checkReference(reference, place)
    }
  }

  #checkContents(contents: PdfString, signature: Place): void {
    if (this.#read.has(contents)) return
    this.#read.add(contents)
    const outline = unlessMalformed(() => signedDataOutline(contents.bytes, this.#budget))
    this.#validation.check(signedDataRules, outline ?? unreadable, signature)
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
