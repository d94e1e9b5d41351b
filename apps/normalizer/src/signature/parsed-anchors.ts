import { type Certificate, parseCertificate } from './certificate.ts'
import { certificatesIn, TrustAnchorError, type TrustAnchors } from './trust-anchors.ts'

/** Trust anchors, ready to be used. */
export interface ParsedAnchors {
  readonly signatures: readonly Certificate[]
  readonly timestamps: readonly Certificate[]
}

const parsed = new WeakMap<TrustAnchors, ParsedAnchors>()

/** Parsed once for all documents. @throws {TrustAnchorError} when one cannot be read: none is left out silently */
export function parsedAnchors(anchors: TrustAnchors): ParsedAnchors {
  const known = parsed.get(anchors)
  if (known) return known
  const result = {
    signatures: certificatesOf(anchors.signatures),
    timestamps: certificatesOf(anchors.timestamps),
  }
  parsed.set(anchors, result)
  return result
}

function certificatesOf(bundle: string): Certificate[] {
  return certificatesIn(bundle).map((encoding, index) => {
    const certificate = encoding && parseCertificate(encoding)
    if (!certificate) throw new TrustAnchorError(`trust anchor ${index + 1} cannot be read`)
    return certificate
  })
}
