import { createHash, verify } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import type {
  Attestation,
  VerificationFailure,
  VerificationResult,
} from '@pdfnorm/contracts/schema/attestation'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import { openArtifact } from '../artifact/open-artifact.ts'
import type { ApiKeyCaller } from '../caller.ts'
import { withoutOrganization } from '../database/transaction.ts'
import type { Platform } from '../platform.ts'
import { signedBytes } from './attestation.ts'
import { findAttestation } from './find-attestation.ts'
import { publicKeyObject, SigningKeyEntity } from './signing-key.ts'

/** Checks the stored signature, then that the stored file still has its hash (decision 5.5). */
export async function verifyAttestation(
  platform: Pick<Platform, 'orm' | 'objects' | 'clock'>,
  caller: ApiKeyCaller,
  normalizedSha256: string,
): Promise<VerificationResult | Refusal<'NOT_FOUND'>> {
  const found = await findAttestation(platform, caller, normalizedSha256)
  if (found instanceof Refusal) return found

  const reason =
    (await signatureFault(platform, found.document)) ??
    (await artifactFault(platform, caller, normalizedSha256))
  return {
    valid: reason === null,
    attestationId: found.attestationId,
    normalizedSha256,
    issuedAt: found.issuedAt.toISOString(),
    reason,
  }
}

async function signatureFault(
  { orm }: Pick<Platform, 'orm'>,
  document: Attestation,
): Promise<VerificationFailure | null> {
  const kid = document.issuer.publicKeyId
  const key = await withoutOrganization(orm, (em) => em.findOne(SigningKeyEntity, { kid }))
  if (key === null) return 'key_unknown'

  const signature = Buffer.from(document.signature.value, 'base64')
  const holds = verify('sha256', signedBytes(document), publicKeyObject(key), signature)
  return holds ? null : 'signature_invalid'
}

async function artifactFault(
  platform: Pick<Platform, 'orm' | 'objects' | 'clock'>,
  caller: ApiKeyCaller,
  sha256: string,
): Promise<VerificationFailure | null> {
  const artifact = await openArtifact(platform, caller, sha256)
  if (artifact instanceof Refusal) return 'artifact_missing'

  const bytes = await artifact.openStream()
  if (bytes === null) return 'artifact_missing'
  const hash = createHash('sha256')
  await pipeline(bytes, hash)
  return hash.digest('hex') === sha256 ? null : 'hash_mismatch'
}
