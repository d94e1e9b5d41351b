import { createHash } from 'node:crypto'
import { decodeBeginning, decodeStream } from '../../pdf/filter/decode-stream.ts'
import type { PdfStream } from '../../pdf/object.ts'
import type { ObjectGraph } from '../../pdf/object-graph.ts'

/** What the header of an ICC profile says (ICC.1:2010, 7.2). */
export interface IccProfile {
  readonly stream: PdfStream
  /** Such as `mntr`; null where the data ends before. */
  readonly deviceClass: string | null
  /** Such as `RGB ` or `CMYK`. */
  readonly colourSpace: string | null
  /** The part of the version before the point; null where the data ends before. */
  readonly majorVersion: number | null
  /** `/N` of the stream. */
  readonly components: number | null
}

/** The profiles of a document, each read once. */
export class IccProfiles {
  readonly #graph: ObjectGraph
  readonly #profiles = new Map<PdfStream, IccProfile>()
  readonly #identities = new Map<PdfStream, string | null>()

  constructor(graph: ObjectGraph) {
    this.#graph = graph
  }

  read(stream: PdfStream): IccProfile {
    const known = this.#profiles.get(stream)
    if (known) return known
    const header = decodeBeginning(this.#graph, stream, headerBytes)
    const components = this.#graph.resolve(stream.dictionary.get('N'))
    const profile = {
      stream,
      deviceClass: signatureAt(header, 12),
      colourSpace: signatureAt(header, 16),
      majorVersion: header[8] ?? null,
      components: typeof components === 'number' ? components : null,
    }
    this.#profiles.set(stream, profile)
    return profile
  }

  /** Whether two streams hold the same profile; what ICC.1:2010, 7.2.18, leaves out of a profile's ID may differ. */
  areSame(one: PdfStream, other: PdfStream): boolean {
    if (one === other) return true
    const identity = this.#identity(one)
    return identity !== null && identity === this.#identity(other)
  }

  #identity(stream: PdfStream): string | null {
    const known = this.#identities.get(stream)
    if (known !== undefined) return known
    const bytes = decodeStream(this.#graph, stream)
    const identity = bytes === null || bytes.length < headerBytes ? null : identityOf(bytes)
    this.#identities.set(stream, identity)
    return identity
  }
}

const headerBytes = 128

function signatureAt(header: Uint8Array, at: number): string | null {
  if (header.length < at + 4) return null
  return Buffer.from(header.subarray(at, at + 4)).toString('latin1')
}

/** The profile's ID, or the one that it would have. */
function identityOf(bytes: Uint8Array): string {
  const id = bytes.subarray(84, 100)
  if (id.some((byte) => byte !== 0)) return Buffer.from(id).toString('hex')
  const size = Buffer.from(bytes.subarray(0, 4)).readUInt32BE()
  const counted = Uint8Array.from(bytes.subarray(0, size === 0 ? bytes.length : size))
  counted.fill(0, 44, 48)
  counted.fill(0, 64, 68)
  counted.fill(0, 84, 100)
  return createHash('md5').update(counted).digest('hex')
}
