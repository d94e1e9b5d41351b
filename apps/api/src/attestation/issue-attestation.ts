import { sign } from 'node:crypto'
import { type Attestation, attestationVersion } from '@pdfnorm/contracts/schema/attestation'
import type { SecurityInfo } from '@pdfnorm/contracts/schema/security-findings'
import type { ValidationInfo } from '@pdfnorm/contracts/schema/validation-findings'
import type { NormalizedOutcome } from '@pdfnorm/normalizer/outcome'
import { PIPELINE_SPEC, toolchain } from '@pdfnorm/normalizer/pipeline-spec'
import { trustAnchorsSha256 } from '@pdfnorm/normalizer/trust-anchors'
import { v7 as uuidv7 } from 'uuid'
import type { Statement } from '../database/transaction.ts'
import type { Platform } from '../platform.ts'
import { attestationContextPath } from './attestation-context.ts'
import { signedBytes } from './attestation.ts'
import { issueCertificate } from './issue-certificate.ts'
import type { SigningKey } from './signing-key.ts'

/**
 * Attests that the organization's document became this file, and certifies the same. The organization's first
 * success with an output stands: a later one with the same output issues nothing (decision 5.2).
 */
export async function issueAttestation(
  { orm, signingKeys, config }: Pick<Platform, 'orm' | 'signingKeys' | 'config'>,
  organizationId: string,
  outcome: NormalizedOutcome,
  processedAt: Date,
): Promise<Statement> {
  const key = await signingKeys.current(orm.em.fork())
  const document = attest(outcome, { key, config, issuedAt: processedAt })
  const certificate = await issueCertificate(document, config.baseUrl, key)
  return {
    sql: `insert into attestation
            (organization_id, normalized_sha256, attestation_id, issued_at, document, certificate)
          values (?, ?, ?, ?, ?, ?)
          on conflict (organization_id, normalized_sha256) do nothing`,
    parameters: [
      organizationId,
      outcome.normalized.sha256,
      document.attestationId,
      processedAt,
      JSON.stringify(document),
      certificate,
    ],
  }
}

function attest(
  outcome: NormalizedOutcome,
  at: { key: SigningKey; config: Platform['config']; issuedAt: Date },
): Attestation {
  const { baseUrl, containerImageDigest } = at.config
  const unsigned: Omit<Attestation, 'signature'> = {
    '@context': baseUrl + attestationContextPath,
    '@type': 'NormalizationAttestation',
    version: attestationVersion,
    attestationId: uuidv7(),
    issuedAt: at.issuedAt.toISOString(),
    issuer: { name: 'pdfnorm', url: baseUrl, publicKeyId: at.key.kid },
    subject: {
      originalSha256: outcome.original.sha256,
      originalSizeBytes: outcome.original.sizeBytes,
      normalizedSha256: outcome.normalized.sha256,
      normalizedSizeBytes: outcome.normalized.sizeBytes,
      contentHash: outcome.normalized.contentHash,
    },
    processing: {
      toolchainVersion: toolchainVersion(at.config),
      structuralToolVersion: `pdfnorm/${PIPELINE_SPEC}`,
      pipelineSpec: PIPELINE_SPEC,
      containerImageDigest: containerImageDigest ?? 'none',
      processingTimeMs: outcome.processingTimeMs,
    },
    findings: {
      healthScore: outcome.healthScore,
      contentRemoved: namesOfTrue(contentNames, outcome.security),
      structuralRepairs: namesOfTrue(repairNames, outcome.validation),
      warningCount: outcome.warnings.length,
    },
  }
  return {
    ...unsigned,
    signature: {
      algorithm: 'ECDSA-P256-SHA256',
      // node:crypto gives ECDSA signatures in DER, the form that openssl verifies.
      value: sign('sha256', signedBytes(unsigned), at.key.privateKey).toString('base64'),
      publicKeyCertificate: `${baseUrl}/.well-known/attestation-keys.json`,
    },
  }
}

/** What results depend on beside the pipeline: the versions of its parts, and what the deployment decided. */
function toolchainVersion({
  trustAnchors,
  pdfaSettings: { validator, keepAssociatedFiles },
}: Pick<Platform['config'], 'trustAnchors' | 'pdfaSettings'>): string {
  const parts = [
    `node/${toolchain.node}`,
    `pdfnorm-text/${toolchain.text}`,
    ...(trustAnchors ? [`trust-anchors/${trustAnchorsSha256(trustAnchors)}`] : []),
    ...(validator.kind === 'internal' ? [] : [`pdfa-validator/${validator.kind}`]),
    ...(keepAssociatedFiles ? ['associated-files/kept'] : []),
  ]
  return parts.join(' ')
}

/** The attestation's word for each thing that was taken out of the original. */
const contentNames = {
  javascriptRemoved: 'javascript',
  openActionsRemoved: 'open_actions',
  launchActionsRemoved: 'launch_actions',
  embeddedFilesRemoved: 'embedded_files',
  richMediaRemoved: 'rich_media',
  annotationsRemoved: 'annotations',
  acroformFlattened: 'acroform',
  incrementalUpdatesRemoved: 'incremental_updates',
  digitalSignaturesRemoved: 'digital_signatures',
} as const satisfies Partial<Record<keyof SecurityInfo, string>>

const repairNames = {
  xrefRebuilt: 'xref_rebuilt',
  objectStreamsRegenerated: 'object_streams_regenerated',
  brokenReferencesDetected: 'broken_references',
} as const satisfies Partial<Record<keyof ValidationInfo, string>>

function namesOfTrue<Key extends string>(
  names: Readonly<Record<Key, string>>,
  facts: Readonly<Record<NoInfer<Key>, boolean>>,
): string[] {
  return (Object.keys(names) as Key[]).filter((key) => facts[key]).map((key) => names[key])
}
