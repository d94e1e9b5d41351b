import { createHash } from 'node:crypto'
import { regions, type Region } from '@pdfnorm/contracts/schema/region'
import { originalKey } from '../../src/artifact/object-store.ts'
import { openObjectStore } from '../../src/artifact/open-object-store.ts'
import type { Database } from '../database.ts'
import type { TorturedService } from '../service.ts'

interface OriginalRow {
  id: string
  schemaName: string
  region: Region
  sha256: string
}

/**
 * Every original is there byte for byte, and nothing lies in the storage that the service does not know of: what nobody
 * knows of would never be removed.
 */
export async function objectLosses({
  database,
  storage,
}: TorturedService): Promise<{ losses: string[]; originals: number }> {
  const store = await openObjectStore(storage, () => {
    throw new Error('Nothing is handed out here')
  })
  const losses: string[] = []
  const known = await knownObjects(database)
  for (const region of regions) {
    const keys = await store.list(region)
    const unknown = keys.filter((key) => !known.has(`${region}/${key}`))
    losses.push(...unknown.map((key) => `nobody knows of the object ${key} in ${region}`))
  }

  const originals = await keptOriginals(database)
  for (const { id, schemaName, region, sha256 } of originals) {
    const bytes = await store.read(region, originalKey(schemaName, id))
    if (bytes === null) losses.push(`the original of ${id} is gone`)
    else if (createHash('sha256').update(bytes).digest('hex') !== sha256) {
      losses.push(`the original of ${id} has other bytes`)
    }
  }
  return { losses, originals: originals.length }
}

async function knownObjects(database: Database): Promise<ReadonlySet<string>> {
  const rows = await database.query<{ name: string }>(
    `select region || '/' || key as name from stored_object`,
  )
  return new Set(rows.map(({ name }) => name))
}

/** A file that was too large for its plan was never kept. */
function keptOriginals(database: Database): Promise<OriginalRow[]> {
  return database.query<OriginalRow>(
    `select s.id, o.schema_name as "schemaName", s.region, s.original_sha256 as sha256
     from submission s join organization o on o.id = s.organization_id
     where s.failure->>'code' is distinct from 'FILE_TOO_LARGE'`,
  )
}
