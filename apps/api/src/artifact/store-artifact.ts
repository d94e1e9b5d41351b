import type { EntityManager } from '@mikro-orm/postgresql'
import type { Region } from '@pdfnorm/contracts/schema/region'
import type { Statement } from '../database/transaction.ts'
import type { Platform } from '../platform.ts'
import { artifactKey } from './object-store.ts'

/** A normalized file on its way into the storage. */
export interface NewArtifact {
  /** 64 lower-case hexadecimal digits: the hash of `bytes`. */
  readonly sha256: string
  readonly sizeBytes: number
  readonly bytes: Uint8Array
}

/**
 * Writes the object unless one of this content is there already. To be called before the transaction that refers to
 * it: a rolled-back one leaves at worst an object that nothing refers to.
 */
export async function writeArtifact(
  { objects }: Pick<Platform, 'objects'>,
  region: Region,
  artifact: NewArtifact,
): Promise<void> {
  const key = artifactKey(artifact.sha256)
  if ((await objects.sizeOf(region, key)) === artifact.sizeBytes) return
  await objects.put(region, key, artifact.bytes)
}

/**
 * Makes sure of the artifact, row and object. The row is locked until the transaction ends, so that its object is not
 * removed in between.
 */
export async function storeArtifact(
  platform: Pick<Platform, 'objects'>,
  em: EntityManager,
  artifact: NewArtifact,
  { region, now }: { region: Region; now: Date },
): Promise<void> {
  const { sha256, sizeBytes } = artifact
  await em.execute(
    `insert into artifact (sha256, region, size_bytes, created_at) values (?, ?, ?, ?)
     on conflict (sha256, region) do update set size_bytes = excluded.size_bytes`,
    [sha256, region, sizeBytes, now],
  )
  await writeArtifact(platform, region, artifact)
}

/** Lets the organization read the artifact until `expiresAt`, or longer where it may already. */
export function artifactReference(
  { sha256 }: NewArtifact,
  to: { organizationId: string; region: Region; expiresAt: Date },
): Statement {
  return {
    sql: `insert into artifact_reference (organization_id, sha256, region, expires_at)
     values (?, ?, ?, ?)
     on conflict (organization_id, sha256, region) do update
       set expires_at = greatest(artifact_reference.expires_at, excluded.expires_at)`,
    parameters: [to.organizationId, sha256, to.region, to.expiresAt],
  }
}
