import { withExpired, withoutOrganization } from '../database/transaction.ts'
import type { Platform } from '../platform.ts'
import { forgetObjects, type StoredObject } from './stored-object.ts'

/** Objects that are removed side by side. */
const atOnce = 50

/** Reports that one transaction deletes. */
const reportsAtOnce = 1000

/** When an object is tried again that could not be removed, or whose remover died. */
const retryMs = 10 * 60 * 1000

type RemovingPlatform = Pick<Platform, 'orm' | 'objects' | 'clock' | 'log'>

/**
 * Removes what nobody may read any more: expired reports, and the bytes of expired originals and artifacts, of what was
 * erased, and of what a crash left half done. Goes on until nothing is left, or until `signal` says that the process
 * stops. Several processes may do so at once.
 */
export async function removeExpired(
  platform: RemovingPlatform,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await removeReports(platform)) === reportsAtOnce);
  while (!signal.aborted && (await removeObjects(platform)) === atOnce);
}

async function removeReports({ orm, clock }: RemovingPlatform): Promise<number> {
  const now = clock.now()
  const removed = await withExpired(orm, now, (em) =>
    em.execute(
      `delete from report where (organization_id, submission_id) in
         (select organization_id, submission_id from report
          where expires_at < ? order by expires_at limit ?)
       returning submission_id`,
      [now, reportsAtOnce],
    ),
  )
  return removed.length
}

async function removeObjects(platform: RemovingPlatform): Promise<number> {
  const { orm, objects, log } = platform
  const due = await takeDue(platform)
  const gone = await Promise.all(
    due.map(async ({ region, key }) => {
      try {
        await objects.delete(region, key)
        return [{ region, key }]
      } catch (err) {
        log.error({ err, region, key }, 'an object could not be removed; it is tried again')
        return []
      }
    }),
  )
  await withoutOrganization(orm, (em) => forgetObjects(em, gone.flat()))
  return due.length
}

/**
 * From the commit on nobody can come to the objects any more, for their artifacts are gone; only then are they removed.
 * They come again after a while where the removal, or its process, fails.
 */
async function takeDue({ orm, clock }: RemovingPlatform): Promise<StoredObject[]> {
  const now = clock.now()
  const retryAt = new Date(now.getTime() + retryMs)
  return withoutOrganization(orm, (em) =>
    em.execute<StoredObject[]>(
      `with candidates as materialized (
         select key, region from stored_object where removable_at <= ?
         order by removable_at limit ? for update skip locked),
       due as (
         update stored_object object set removable_at = ? from candidates
         where (object.key, object.region) = (candidates.key, candidates.region)
         returning object.key, object.region),
       unreachable as (
         delete from artifact using due
         where artifact.object_key = due.key and artifact.region = due.region)
       select key, region from due`,
      [now, atOnce, retryAt],
    ),
  )
}
