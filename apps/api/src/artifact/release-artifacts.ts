import type { EntityManager } from '@mikro-orm/postgresql'
import type { Region } from '@pdfnorm/contracts/schema/region'
import { executeTogether, lookUpSettings, type Statement } from '../database/transaction.ts'
import { originalKey } from './object-store.ts'
import { lockObjects, objectsIn } from './stored-object.ts'

/** Rows that one call handles: a caller with more of them commits in between, or not, as he likes. */
const atOnce = 100

/**
 * Takes references of an organization to artifacts away, in its transaction. The bytes of what no other organization
 * may read any more are removable at once; `removeExpired` removes them.
 *
 * @returns how many references; to be called until there are none
 */
export async function releaseArtifacts(
  em: EntityManager,
  { organizationId, now }: { organizationId: string; now: Date },
): Promise<number> {
  const references = await em.execute<ReferencedObject[]>(
    `select r.sha256, r.region, a.object_key as key from artifact_reference r
     left join artifact a on a.sha256 = r.sha256 and a.region = r.region
     where r.organization_id = ? order by r.sha256, r.region limit ?`,
    [organizationId, atOnce],
  )
  if (references.length === 0) return 0

  await lockObjects(em, references)
  await em.execute(
    `delete from artifact_reference where organization_id = ? and (sha256, region) in
       (select sha256, region from jsonb_to_recordset(?::jsonb) as given (sha256 text, region text))`,
    [organizationId, JSON.stringify(references)],
  )
  await executeTogether(em, removableAfterLastReader(references, now))
  return references.length
}

/** What makes the bytes of artifacts removable when nobody may read them any more, whoever that is; or now. */
export function removableAfterLastReader(
  artifacts: readonly { readonly sha256: string; readonly region: Region }[],
  now: Date,
): Statement[] {
  return [
    ...artifacts.flatMap(({ sha256, region }) => [
      ...lookUpSettings({ artifactSha256: sha256 }),
      {
        sql: `update stored_object object set removable_at = coalesce(
                (select max(expires_at) from artifact_reference where sha256 = ? and region = ?), ?)
              from artifact where artifact.sha256 = ? and artifact.region = ?
                and object.key = artifact.object_key and object.region = artifact.region`,
        parameters: [sha256, region, now, sha256, region],
      },
    ]),
    ...lookUpSettings({ artifactSha256: '' }),
  ]
}

/** Makes the originals of an organization's ended submissions removable at once; called like `releaseArtifacts`. */
export async function releaseOriginals(
  em: EntityManager,
  organization: { id: string; schemaName: string },
  now: Date,
): Promise<number> {
  const ended = await em.execute<{ id: string; region: Region }[]>(
    `update submission set original_expires_at = ? where id in
       (select id from submission where organization_id = ? and original_expires_at > ? limit ?)
     returning id, region`,
    [now, organization.id, now, atOnce],
  )
  const originals = ended.map(({ id, region }) => ({
    region,
    key: originalKey(organization.schemaName, id),
  }))
  await lockObjects(em, originals)
  await em.execute(
    `update stored_object set removable_at = ? where (key, region) in (select key, region from ${objectsIn})`,
    [now, JSON.stringify(originals)],
  )
  return ended.length
}

interface ReferencedObject {
  readonly sha256: string
  readonly region: Region
  /** null: it expired, and its bytes are gone. */
  readonly key: string | null
}
