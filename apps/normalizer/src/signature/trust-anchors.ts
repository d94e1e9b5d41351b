import { createHash, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** Certificates of the authorities that a deployment relies on, as PEM bundles (RFC 7468); empty: none. */
export interface TrustAnchors {
  readonly signatures: string
  /** For time-stamps. */
  readonly timestamps: string
}

/** Trust anchors that cannot be used; the message names the file. */
export class TrustAnchorError extends Error {}

/**
 * Reads PEM bundles.
 *
 * @param timestampPaths anchors for time-stamps alone; without any, those for signatures count for time-stamps too
 * @returns null when there are no paths at all: certificates are then not judged
 * @throws {TrustAnchorError} when a file cannot be read, has no certificate or one that cannot be read: an anchor that
 *   is silently left out would turn trusted signatures into others
 */
export function readTrustAnchors(
  paths: readonly string[],
  timestampPaths: readonly string[] = [],
): TrustAnchors | null {
  if (paths.length === 0) {
    if (timestampPaths.length === 0) return null
    throw new TrustAnchorError('anchors for time-stamps need others for signatures')
  }
  const signatures = readBundles(paths)
  return {
    signatures,
    timestamps: timestampPaths.length === 0 ? signatures : readBundles(timestampPaths),
  }
}

/** Names a set of anchors: 64 hexadecimal digits, the same in whatever order and files they come. */
export function trustAnchorsSha256(anchors: TrustAnchors): string {
  const hash = createHash('sha256')
  for (const use of ['signatures', 'timestamps'] as const) {
    const certificates = certificatesIn(anchors[use])
    const prints = certificates.flatMap((encoding) => (encoding ? [sha256(encoding)] : []))
    hash.update(`${use}\n${[...new Set(prints)].toSorted().join('\n')}\n`)
  }
  return hash.digest('hex')
}

const certificateBlock = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g

/** Text around the certificates is left out. */
function readBundles(paths: readonly string[]): string {
  return paths
    .flatMap((path) => {
      const text = readText(path)
      const certificates = certificatesIn(text)
      if (certificates.length === 0) {
        throw new TrustAnchorError(`${path} holds no certificate in PEM form`)
      }
      const unread = certificates.indexOf(null)
      if (unread !== -1) {
        throw new TrustAnchorError(`certificate ${unread + 1} of ${path} cannot be read`)
      }
      return text.match(certificateBlock) ?? []
    })
    .join('\n')
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch (error) {
    throw new TrustAnchorError(`cannot read ${path}: ${String(error)}`)
  }
}

/**
 * The encodings of the certificates in a PEM bundle; null for a block that holds none. Looked at by node:crypto alone, so
 * that nobody loads a library who starts the service.
 */
export function certificatesIn(bundle: string): (Uint8Array | null)[] {
  return (bundle.match(certificateBlock) ?? []).map((block) => {
    try {
      return new Uint8Array(new X509Certificate(block).raw)
    } catch {
      return null
    }
  })
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
