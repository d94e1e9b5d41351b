import { type Asn1, childAt, childrenOf } from './asn1.ts'
import { oidOf } from './asn1-value.ts'

/** RFC 5280, 4.1.1.2. */
export interface AlgorithmIdentifier {
  readonly oid: string
  readonly parameters: Asn1 | null
}

/** @throws {MalformedAsn1Error} */
export function algorithmIdentifier(value: Asn1 | undefined): AlgorithmIdentifier {
  const oid = oidOf(childAt(value, 0))
  return { oid, parameters: (value && childrenOf(value)[1]) ?? null }
}
