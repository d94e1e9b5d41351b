import { createHash } from 'node:crypto'
import type { ObjectGraph } from '../pdf/object-graph.ts'
import {
  type Asn1,
  childrenOf,
  encodingOf,
  isTagged,
  parseAsn1,
  type ReadingBudget,
} from './asn1.ts'
import { type Certificate, parseCertificate } from './certificate.ts'
import type { SignedData } from './cms.ts'
import { readSecurityStore } from './document-security-store.ts'
import { unlessMalformed } from './malformed.ts'
import { type OcspResponse, ocspResponse } from './ocsp-response.ts'
import { type RevocationList, revocationList } from './revocation-list.ts'

/** What one document may bring of each kind; the rest is not looked at. Long-term archives have some dozens. */
const maxOfEachKind = 2_000
/** Values in all of it, and in the signatures, that are read; documents with dozens of signatures have some ten thousand. */
const maxValues = 500_000

/**
 * What a document brings to judge certificates by: those in its signatures and in its security store (ISO 32000-2,
 * 12.8.4.3), and what was known of their revocation. Nothing is fetched from anywhere.
 */
export class ValidationMaterial {
  readonly #certificates = new Map<string, Certificate | null>()
  readonly #bySubject = new Map<string, Certificate[]>()
  readonly #lists = new Map<string, RevocationList | null>()
  readonly #responses = new Map<string, OcspResponse | null>()

  readonly budget: ReadingBudget = { remaining: maxValues }

  readonly #graph: ObjectGraph
  #storeIsRead = false

  constructor(graph: ObjectGraph) {
    this.#graph = graph
  }

  /** Takes in what a signature or a time-stamp token brings. */
  add(data: SignedData): void {
    for (const encoding of data.certificates) this.certificate(encoding)
    for (const encoding of data.revocationLists) this.#addList(encoding)
    for (const encoding of data.ocspResponses) this.#addResponse(encoding)
    for (const attributes of [
      data.signer.signedAttributes?.values,
      data.signer.unsignedAttributes,
    ]) {
      for (const value of attributes?.get(revocationArchival) ?? []) this.#addArchive(value)
      for (const value of attributes?.get(revocationValues) ?? []) this.#addArchive(value)
      for (const value of attributes?.get(certificateValues) ?? []) {
        for (const one of listed(rootOf(value))) this.certificate(encodingOf(one))
      }
    }
  }

  /** The certificate with this encoding, which is always the same object; null when it is none, or one too many. */
  certificate(encoding: Uint8Array): Certificate | null {
    const key = keyOf(encoding)
    const known = this.#certificates.get(key)
    if (known !== undefined) return known
    if (this.#certificates.size >= maxOfEachKind) return null

    const certificate = parseCertificate(encoding, this.budget)
    this.#certificates.set(key, certificate)
    if (certificate) {
      const name = certificate.subject.join('\0')
      this.#bySubject.set(name, [...(this.#bySubject.get(name) ?? []), certificate])
    }
    return certificate
  }

  get certificates(): Certificate[] {
    this.#readStore()
    return [...this.#certificates.values()].filter((certificate) => certificate !== null)
  }

  named(subject: readonly string[]): readonly Certificate[] {
    this.#readStore()
    return this.#bySubject.get(subject.join('\0')) ?? []
  }

  get revocationLists(): RevocationList[] {
    this.#readStore()
    return [...this.#lists.values()].filter((list) => list !== null)
  }

  get ocspResponses(): OcspResponse[] {
    this.#readStore()
    return [...this.#responses.values()].filter((response) => response !== null)
  }

  /** Only when it is asked for: most signatures bring all that they need themselves. */
  #readStore(): void {
    if (this.#storeIsRead) return
    this.#storeIsRead = true
    const store = readSecurityStore(this.#graph, maxOfEachKind)
    for (const encoding of store.certificates) this.certificate(encoding)
    for (const encoding of store.revocationLists) this.#addList(encoding)
    for (const encoding of store.ocspResponses) this.#addResponse(encoding)
  }

  /** adbe-revocationInfoArchival (ISO 32000-2, 12.8.3.3.2) and RevocationValues (RFC 5126, 6.3.4): `[0]` lists, `[1]` OCSP. */
  #addArchive(archive: Uint8Array): void {
    for (const field of listed(rootOf(archive))) {
      const [sequence] = listed(field)
      for (const one of listed(sequence)) {
        if (isTagged(field, 0)) this.#addList(encodingOf(one))
        if (isTagged(field, 1)) this.#addResponse(encodingOf(one))
      }
    }
  }

  #addList(encoding: Uint8Array): void {
    addOnce(this.#lists, encoding, revocationList)
  }

  #addResponse(encoding: Uint8Array): void {
    addOnce(this.#responses, encoding, (bytes) => ocspResponse(bytes, this.budget))
  }
}

const revocationArchival = '1.2.840.113583.1.1.8'
const certificateValues = '1.2.840.113549.1.9.16.2.23'
const revocationValues = '1.2.840.113549.1.9.16.2.24'

/** What cannot be read says nothing; it does not make the signature worse. */
function addOnce<T>(
  to: Map<string, T | null>,
  encoding: Uint8Array,
  read: (encoding: Uint8Array) => T,
): void {
  const key = keyOf(encoding)
  if (to.has(key) || to.size >= maxOfEachKind) return
  to.set(
    key,
    unlessMalformed(() => read(encoding)),
  )
}

function rootOf(encoding: Uint8Array): Asn1 | null {
  return unlessMalformed(() => parseAsn1(encoding).value)
}

function listed(value: Asn1 | null | undefined): Asn1[] {
  return value ? childrenOf(value) : []
}

function keyOf(encoding: Uint8Array): string {
  return createHash('sha256').update(encoding).digest('base64')
}
