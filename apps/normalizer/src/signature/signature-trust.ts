import type { Certificate } from './certificate.ts'
import { findTrustedPath, type TrustedPath } from './certification-path.ts'
import type { ParsedAnchors } from './parsed-anchors.ts'
import type { CertificatePurpose } from './path-validation.ts'
import type { TimestampCheck } from './timestamp-token.ts'
import type { ValidationMaterial } from './validation-material.ts'

/** Steps of path building and signatures of authorities for one document; each costs up to some milliseconds. */
const maxSteps = 2_000

/** Judges the certificates of one document against the anchors of the deployment (trust, 2.2). */
export class SignatureTrust {
  readonly #anchors: ParsedAnchors
  readonly #material: ValidationMaterial
  readonly #budget = { remaining: maxSteps }

  constructor(anchors: ParsedAnchors, material: ValidationMaterial) {
    this.#anchors = anchors
    this.#material = material
  }

  /** A path for a signer's certificate at a moment; null when there is none. */
  ofSigner(certificate: Certificate, at: Date): TrustedPath | null {
    return this.#find(certificate, at, 'document signing')
  }

  /**
   * A path for a time-stamp at the moment that it states: what an authority stamped while it was in force stands
   * (RFC 3161, 4); null when there is none.
   */
  ofTimestamp({ certificate, genTime }: TimestampCheck): TrustedPath | null {
    return certificate && this.#find(certificate, genTime, 'time-stamping')
  }

  #find(certificate: Certificate, at: Date, purpose: CertificatePurpose): TrustedPath | null {
    const { signatures, timestamps } = this.#anchors
    const anchors = purpose === 'time-stamping' ? timestamps : signatures
    const [material, budget] = [this.#material, this.#budget]
    return findTrustedPath({ certificate, purpose, at, anchors, material, budget })
  }
}
