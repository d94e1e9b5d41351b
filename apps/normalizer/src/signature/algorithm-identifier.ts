import type { AlgorithmIdentifier as PkiAlgorithmIdentifier } from 'pkijs'
import { type Asn1, encodingOf } from './asn1.ts'

/** RFC 5280, 4.1.1.2. */
export interface AlgorithmIdentifier {
  readonly oid: string
  /** Their encoding. */
  readonly parameters: Uint8Array | null
}

export function algorithmIdentifier({
  algorithmId,
  algorithmParams,
}: PkiAlgorithmIdentifier): AlgorithmIdentifier {
  const parameters = algorithmParams as Asn1 | undefined
  return { oid: algorithmId, parameters: parameters ? encodingOf(parameters) : null }
}
