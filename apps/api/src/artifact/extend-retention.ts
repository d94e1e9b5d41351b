import type { EntityManager } from '@mikro-orm/postgresql'
import { plans } from '@pdfnorm/contracts/schema/plan'
import type { Region } from '@pdfnorm/contracts/schema/region'
import { withOrganization } from '../database/transaction.ts'
import { OrganizationEntity } from '../organization/organization.ts'
import type { Platform } from '../platform.ts'
import { originalKey } from './object-store.ts'
import { lockObjects, objectsIn } from './stored-object.ts'

/** Rows that one transaction changes. */
const atOnce = 100

/**
 * Keeps what an organization has for as long as its plan keeps things, counted from their last completion. What was
 * promised by a larger plan before stays: nothing is ever kept shorter.
 */
export async function extendRetention(
  { orm, clock }: Pick<Platform, 'orm' | 'clock'>,
  organizationId: string,
  signal: AbortSignal,
): Promise<void> {
  for (const extend of [extendReferences, extendOriginals, extendReports]) {
    let changed = atOnce
    while (changed === atOnce && !signal.aborted) {
      changed = await withOrganization(orm, organizationId, async (em) => {
        const organization = await em.findOne(OrganizationEntity, { id: organizationId })
        if (organization === null) return 0
        const { schemaName, planTier } = organization
        const retention = `${plans[planTier].retentionDays} days`
        return extend(em, { organizationId, schemaName, retention, now: clock.now() })
      })
    }
  }
}

interface Extending {
  readonly organizationId: string
  readonly schemaName: string
  /** An interval of PostgreSQL. */
  readonly retention: string
  /** What is over by then is not brought back. */
  readonly now: Date
}

async function extendReferences(
  em: EntityManager,
  { organizationId, retention, now }: Extending,
): Promise<number> {
  const objects = await em.execute<{ key: string; region: Region }[]>(
    `select object_key as key, region from artifact_reference join artifact using (sha256, region)
     where organization_id = ? and expires_at > ? and expires_at < completed_at + ?::interval
     order by object_key limit ?`,
    [organizationId, now, retention, atOnce],
  )
  await lockObjects(em, objects)
  await em.execute(
    `with extended as (
       update artifact_reference reference set expires_at = completed_at + ?::interval
       from artifact join ${objectsIn} on (object_key, artifact.region) = (given.key, given.region)
       where organization_id = ? and expires_at > ?
         and (reference.sha256, reference.region) = (artifact.sha256, artifact.region)
       returning artifact.object_key as key, artifact.region, reference.expires_at)
     update stored_object object set removable_at = greatest(removable_at, extended.expires_at)
     from extended where (object.key, object.region) = (extended.key, extended.region)`,
    [retention, JSON.stringify(objects), organizationId, now],
  )
  return objects.length
}

async function extendOriginals(
  em: EntityManager,
  { organizationId, schemaName, retention, now }: Extending,
): Promise<number> {
  const extended = await em.execute<{ id: string; region: Region }[]>(
    `update submission set original_expires_at = completed_at + ?::interval where id in
       (select id from submission where organization_id = ? and original_expires_at > ?
          and original_expires_at < completed_at + ?::interval limit ?)
     returning id, region`,
    [retention, organizationId, now, retention, atOnce],
  )
  const originals = extended.map(({ id, region }) => ({
    id,
    region,
    key: originalKey(schemaName, id),
  }))
  await lockObjects(em, originals)
  await em.execute(
    `update stored_object object set removable_at = submission.original_expires_at
     from jsonb_to_recordset(?::jsonb) as given (id uuid, key text, region text)
       join submission on submission.organization_id = ? and submission.id = given.id
     where (object.key, object.region) = (given.key, given.region)`,
    [JSON.stringify(originals), organizationId],
  )
  return extended.length
}

async function extendReports(
  em: EntityManager,
  { organizationId, retention, now }: Extending,
): Promise<number> {
  const extended = await em.execute(
    `update report set expires_at = completed_at + ?::interval where submission_id in
       (select submission_id from report where organization_id = ? and expires_at > ?
          and expires_at < completed_at + ?::interval limit ?)
     returning submission_id`,
    [retention, organizationId, now, retention, atOnce],
  )
  return extended.length
}
