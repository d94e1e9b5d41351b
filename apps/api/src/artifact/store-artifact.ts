import type { EntityManager } from '@mikro-orm/postgresql'
import type { Region } from '@pdfnorm/contracts/schema/region'
import {
  executeTogether,
  executeWithoutOrganization,
  type Statement,
} from '../database/transaction.ts'
import type { Platform } from '../platform.ts'
import { newArtifactKey } from './object-store.ts'
import { abandonObject, claimObject, newClaim, type StoredObject } from './stored-object.ts'

/** A normalized file on its way into the storage. */
export interface NewArtifact {
  /** 64 lower-case hexadecimal digits: the hash of `bytes`. */
  readonly sha256: string
  readonly sizeBytes: number
  readonly bytes: Uint8Array
  readonly region: Region
}

/** An artifact whose bytes are in the storage. */
export interface WrittenArtifact {
  /**
   * Keeps it from the commit of `em` on, which is the transaction that `work` makes.
   *
   * @returns what lets the organization read it until `expiresAt`, or longer where it may already; to be executed in
   *   the same transaction
   */
  keep(em: EntityManager, reference: NewReference): Promise<Statement>
}

interface NewReference {
  readonly organizationId: string
  readonly completedAt: Date
  readonly expiresAt: Date
}

type StoringPlatform = Pick<Platform, 'orm' | 'objects' | 'clock' | 'log'>

/**
 * Writes the artifact, once per content and region, and then does the work that refers to it. The work is done again
 * when the content was stored or removed by somebody else in between: its transaction was rolled back by then.
 */
export async function storeArtifact<Result>(
  platform: StoringPlatform,
  artifact: NewArtifact,
  work: (written: WrittenArtifact) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    const written = await writeArtifact(platform, artifact)
    let isKept = false
    const keep: WrittenArtifact['keep'] = async (em, reference) => {
      await keepArtifact(em, artifact, written, reference)
      isKept = true
      return referenceTo(artifact, reference)
    }
    try {
      return await work({ keep })
    } catch (error) {
      if (!(error instanceof ArtifactMoved) || attempt === maxAttempts) throw error
    } finally {
      // Once kept, it may be referred to even where the commit was not heard of; else its claim ends by itself.
      if (written.isNew && !isKept) await abandonObject(platform, written)
    }
  }
}

/** Each further one needs another removal or storing of the same content in the same moment. */
const maxAttempts = 5

/** Somebody stored or removed the same content since it was looked for. */
class ArtifactMoved extends Error {}

interface WrittenObject extends StoredObject {
  /** Whether it was written here, and nothing refers to it. */
  readonly isNew: boolean
  /** The key of an object that the storage has lost; this one takes its place. */
  readonly lostKey: string | null
}

async function writeArtifact(
  platform: StoringPlatform,
  { sha256, sizeBytes, bytes, region }: NewArtifact,
): Promise<WrittenObject> {
  const { orm, clock, objects } = platform
  const key = newArtifactKey(sha256)
  const knownKey = await findOrClaim(orm, { sha256, region, key }, clock.now())
  if (knownKey !== null) {
    const isThere = (await objects.sizeOf(region, knownKey)) === sizeBytes
    if (isThere) return { region, key: knownKey, isNew: false, lostKey: null }
    await claimObject(platform, { region, key })
  }
  await objects.put(region, key, bytes)
  return { region, key, isNew: true, lostKey: knownKey }
}

/** The key of the object that has this content; null: there is none, and the new one is claimed for it. */
async function findOrClaim(
  orm: Platform['orm'],
  { sha256, region, key }: StoredObject & { sha256: string },
  now: Date,
): Promise<string | null> {
  const claim = newClaim({ region, key }, now)
  const [known] = await executeWithoutOrganization<{ key: string }>(orm, {
    sql: `with known as (select object_key as key from artifact where sha256 = ? and region = ?),
               claimed as (${claim.sql} where not exists (select from known))
          select key from known`,
    parameters: [sha256, region, ...claim.parameters],
  })
  return known?.key ?? null
}

/**
 * The row of the object is locked first, here and by whoever removes objects or takes references away. So the object is
 * either on its way out, which shows in its artifact being gone, or stays.
 *
 * @throws ArtifactMoved
 */
async function keepArtifact(
  em: EntityManager,
  { sha256, sizeBytes, region }: NewArtifact,
  { key, isNew, lostKey }: WrittenObject,
  { completedAt, expiresAt }: NewReference,
): Promise<void> {
  const until = lostKey === null ? null : await replaceObject(em, { region, key, lostKey })
  const kept = await em.execute(
    `update stored_object set removable_at = greatest(removable_at, ?, ?::timestamptz)
     where key = ? and region = ? returning key`,
    [expiresAt, until, key, region],
  )
  const found =
    isNew && lostKey === null
      ? await em.execute(
          `insert into artifact (sha256, region, size_bytes, created_at, object_key) values (?, ?, ?, ?, ?)
           on conflict do nothing returning sha256`,
          [sha256, region, sizeBytes, completedAt, key],
        )
      : await em.execute('select from artifact where object_key = ? and region = ?', [key, region])
  if (kept.length === 0 || found.length === 0) throw new ArtifactMoved()
}

/**
 * Puts the object in the place of one that the storage has lost.
 *
 * @returns how long that one was kept; null: it is gone
 */
async function replaceObject(
  em: EntityManager,
  { region, key, lostKey }: StoredObject & { lostKey: string },
): Promise<Date | null> {
  const [lost] = await em.execute<{ until: Date }[]>(
    'select removable_at as until from stored_object where key = ? and region = ? for update',
    [lostKey, region],
  )
  await executeTogether(em, [
    {
      sql: 'update artifact set object_key = ? where object_key = ? and region = ?',
      parameters: [key, lostKey, region],
    },
    {
      sql: 'update stored_object set removable_at = now() where key = ? and region = ?',
      parameters: [lostKey, region],
    },
  ])
  return lost?.until ?? null
}

function referenceTo(
  { sha256, region }: NewArtifact,
  { organizationId, completedAt, expiresAt }: NewReference,
): Statement {
  return {
    sql: `insert into artifact_reference (organization_id, sha256, region, completed_at, expires_at)
     values (?, ?, ?, ?, ?)
     on conflict (organization_id, sha256, region) do update
       set completed_at = greatest(artifact_reference.completed_at, excluded.completed_at),
           expires_at = greatest(artifact_reference.expires_at, excluded.expires_at)`,
    parameters: [organizationId, sha256, region, completedAt, expiresAt],
  }
}
