import type { EntityManager } from '@mikro-orm/postgresql'
import type { Region } from '@pdfnorm/contracts/schema/region'
import { executeTogether } from '../database/transaction.ts'
import { removableAfterLastReader } from './release-artifacts.ts'
import { claimMs, lockObjects, objectsIn, type StoredObject } from './stored-object.ts'

/** What an organization will not be able to read any more. */
interface EndedReferences {
  readonly organizationId: string
  readonly originals: readonly StoredObject[]
  readonly artifacts: readonly { readonly sha256: string; readonly region: Region }[]
  readonly now: Date
}

/**
 * Ends the organization's rights to files at once, in its transaction. References to artifacts stay, so that EXPIRED
 * can be told; bytes that nobody else may read are removable from the commit on, and `removeExpired` removes them.
 */
export async function endReferences(
  em: EntityManager,
  { organizationId, originals, artifacts, now }: EndedReferences,
): Promise<void> {
  const given = JSON.stringify(artifacts)
  const objects = await em.execute<StoredObject[]>(
    `select region, object_key as key from artifact where (sha256, region) in (select sha256, region from ${artifactsIn})`,
    [given],
  )
  await lockObjects(em, [...originals, ...objects])
  await em.execute(
    `update stored_object set removable_at = ? where (key, region) in (select key, region from ${objectsIn})`,
    [now, JSON.stringify(originals)],
  )
  await em.execute(
    `update artifact_reference set expires_at = least(expires_at, ?)
     where organization_id = ? and (sha256, region) in (select sha256, region from ${artifactsIn})`,
    [now, organizationId, given],
  )
  await executeTogether(em, removableAfterLastReader(artifacts, now))
}

/**
 * Makes what lies under the prefix of an organization removable at once, whoever wrote it and whether a row tells of it
 * or not. What is claimed at the moment stays claimed, for it may not be written yet; the claim ends by itself.
 */
export async function endPrefix(em: EntityManager, schemaName: string, now: Date): Promise<void> {
  await em.execute(
    `update stored_object set removable_at = ?
     where key > ? and key < ? and (removable_at is null or removable_at > ?)`,
    // Zero is what follows the slash: the keys are ordered byte by byte.
    [now, `${schemaName}/`, `${schemaName}0`, new Date(now.getTime() + claimMs)],
  )
}

const artifactsIn = 'jsonb_to_recordset(?::jsonb) as given (sha256 text, region text)'
