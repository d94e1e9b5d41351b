import type { EntityManager } from '@mikro-orm/postgresql'
import type { Region } from '@pdfnorm/contracts/schema/region'
import {
  executeWithoutOrganization,
  type Statement,
  withoutOrganization,
} from '../database/transaction.ts'
import type { Platform } from '../platform.ts'

/** An object of the storage. A key is written once, and never used again after its object was removed. */
export interface StoredObject {
  readonly region: Region
  readonly key: string
}

/** No upload, no run and no export takes so long: what is still claimed by then was lost with its process. */
export const claimMs = 24 * 60 * 60 * 1000

/**
 * Announces an object, before its first byte is written. Until it is kept it counts as lost: so whatever crashes in
 * between leaves no bytes that nobody knows of. Commits on its own.
 */
export async function claimObject(
  { orm, clock }: Pick<Platform, 'orm' | 'clock'>,
  object: StoredObject,
): Promise<void> {
  await executeWithoutOrganization(orm, newClaim(object, clock.now()))
}

/** What `claimObject` executes; a condition may follow. */
export function newClaim({ region, key }: StoredObject, now: Date): Statement {
  return {
    sql: 'insert into stored_object (key, region, removable_at) select ?, ?, ?::timestamptz',
    parameters: [key, region, new Date(now.getTime() + claimMs)],
  }
}

/**
 * Keeps a claimed object from the commit on: until a time, or as long as `null` stands there. To be called in the
 * transaction that refers to it.
 */
export function keepObject({ region, key }: StoredObject, until: Date | null): Statement {
  return {
    sql: 'update stored_object set removable_at = ? where key = ? and region = ?',
    parameters: [until, key, region],
  }
}

/** Takes a claim back whose object came to nothing, with what was written of it. */
export async function abandonObject(
  { orm, objects, log }: Pick<Platform, 'orm' | 'objects' | 'log'>,
  { region, key }: StoredObject,
): Promise<void> {
  try {
    await objects.delete(region, key)
    await withoutOrganization(orm, (em) => forgetObjects(em, [{ region, key }]))
  } catch (err) {
    log.warn({ err, region, key }, 'an object that came to nothing stays until its claim ends')
  }
}

/** The rows of objects that are in the storage no more. */
export async function forgetObjects(
  em: EntityManager,
  gone: readonly StoredObject[],
): Promise<void> {
  await em.execute(
    `delete from stored_object where (key, region) in (select key, region from ${objectsIn})`,
    [JSON.stringify(gone)],
  )
}

/**
 * Locks the rows of objects until the transaction ends: before the references to them are changed, and always in the
 * same order, so that two who lock many do not wait for each other.
 */
export async function lockObjects(
  em: EntityManager,
  objects: readonly { readonly region: Region; readonly key: string | null }[],
): Promise<void> {
  await em.execute(
    `select from stored_object where (key, region) in (select key, region from ${objectsIn})
     order by key, region for update`,
    [JSON.stringify(objects)],
  )
}

/** A parameter that holds objects as JSON, as rows of SQL. */
export const objectsIn = 'jsonb_to_recordset(?::jsonb) as given (region text, key text)'
