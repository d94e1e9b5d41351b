import type { Readable } from 'node:stream'
import type { EntityManager } from '@mikro-orm/postgresql'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { Caller } from '../caller.ts'
import { withOrganization } from '../database/transaction.ts'
import type { Platform } from '../platform.ts'
import { ArtifactEntity, ArtifactReferenceEntity } from './artifact.ts'
import type { ByteRange } from './file-driver.ts'

/** A normalized file that the caller may read. */
export interface OpenedArtifact {
  readonly sha256: string
  readonly sizeBytes: number
  /** null when the object is not in the storage. */
  openStream(range?: ByteRange): Promise<Readable | null>
}

/**
 * Finds the artifact of this content for the organization, in whichever region it has it.
 *
 * @param sha256 64 lower-case hexadecimal digits
 */
export async function openArtifact(
  { orm, objects, clock }: Pick<Platform, 'orm' | 'objects' | 'clock'>,
  { organization }: Caller,
  sha256: string,
): Promise<OpenedArtifact | Refusal<'NOT_FOUND' | 'EXPIRED' | 'FORBIDDEN_RESOURCE'>> {
  return withOrganization(orm, organization.id, async (em) => {
    const [reference] = await em.find(
      ArtifactReferenceEntity,
      { organizationId: organization.id, sha256 },
      { orderBy: { expiresAt: 'desc' }, limit: 1 },
    )
    if (reference === undefined) return refuseUnreferenced(em, sha256)
    if (reference.expiresAt <= clock.now()) return expired(reference.expiresAt)

    const { region } = reference
    const artifact = await em.findOne(ArtifactEntity, { sha256, region })
    // Another process's clock is ahead of this one's, and its bytes are gone.
    if (artifact === null) return expired(reference.expiresAt)
    return {
      sha256,
      sizeBytes: artifact.sizeBytes,
      openStream: (range) => objects.openStream(region, artifact.objectKey, range),
    }
  })
}

/** Why an organization cannot have what is known by this output hash and not its own (decision 1.10). */
export async function refuseUnreferenced(
  em: EntityManager,
  sha256: string,
): Promise<Refusal<'NOT_FOUND' | 'FORBIDDEN_RESOURCE'>> {
  if ((await em.count(ArtifactEntity, { sha256 })) === 0) {
    return new Refusal('NOT_FOUND', `There is no normalized file with the hash ${sha256}`)
  }
  return new Refusal(
    'FORBIDDEN_RESOURCE',
    `The file with the hash ${sha256} is not the organization's`,
  )
}

export function expired(expiresAt: Date): Refusal<'EXPIRED'> {
  return new Refusal(
    'EXPIRED',
    `The retention period ended at ${expiresAt.toISOString()}. Submit the document again to get the file anew.`,
  )
}
