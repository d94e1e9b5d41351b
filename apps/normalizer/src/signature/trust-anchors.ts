import { type Certificate, parseCertificate } from './certificate.ts'

/** Certificates of authorities that a deployment relies on, in DER. */
export interface TrustAnchors {
  readonly signatures: readonly Uint8Array[]
  /** For time-stamps. */
  readonly timestamps: readonly Uint8Array[]
}

/** The same, ready to be used. */
export interface ParsedAnchors {
  readonly signatures: readonly Certificate[]
  readonly timestamps: readonly Certificate[]
}

const parsed = new WeakMap<TrustAnchors, ParsedAnchors>()

/** Parsed once for all documents. */
export function parsedAnchors(anchors: TrustAnchors): ParsedAnchors {
  const known = parsed.get(anchors)
  if (known) return known
  const result = {
    signatures: anchors.signatures.map(parseCertificate).filter((one) => one !== null),
    timestamps: anchors.timestamps.map(parseCertificate).filter((one) => one !== null),
  }
  parsed.set(anchors, result)
  return result
}
