import { withOrganization } from '../database/transaction.ts'
import { originalKey } from '../artifact/object-store.ts'
import type { StoredObject } from '../artifact/stored-object.ts'
import type { Platform } from '../platform.ts'
import type { ExportArchive } from './export-archive.ts'

type ExportingPlatform = Pick<Platform, 'orm' | 'objects'>

/** Whose files, and as of when: what came later is left to the next export. */
interface ExportedFiles {
  readonly organization: { readonly id: string; readonly schemaName: string }
  readonly at: Date
}

/** Files whose names are read at a time. */
const filesAtOnce = 500

/**
 * Adds the originals and the normalized files that the organization has.
 *
 * @returns the paths of those that were gone when their turn came
 */
export async function exportFiles(
  platform: ExportingPlatform,
  exported: ExportedFiles,
  archive: ExportArchive,
): Promise<string[]> {
  const missing: string[] = []
  const add = async (path: string, { region, key }: StoredObject) => {
    const bytes = await platform.objects.openStream(region, key)
    // PDF compresses itself.
    if (bytes !== null) await archive.add(path, bytes, { compress: false })
    else missing.push(path)
  }
  for await (const { id, region } of originals(platform, exported)) {
    const key = originalKey(exported.organization.schemaName, id)
    await add(`originals/${id}.pdf`, { region, key })
  }
  for await (const { sha256, region, key } of artifacts(platform, exported)) {
    await add(`artifacts/${sha256}.pdf`, { region, key })
  }
  return missing
}

async function* originals({ orm }: ExportingPlatform, { organization, at }: ExportedFiles) {
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const page = await withOrganization(orm, organization.id, (em) =>
      em.execute<({ id: string } & Pick<StoredObject, 'region'>)[]>(
        `select id, region from submission
         where id > ? and created_at <= ? and (completed_at is null or original_expires_at > ?)
         order by id limit ${filesAtOnce}`,
        [after, at, at],
      ),
    )
    yield* page
    const last = page.at(-1)
    if (last === undefined) return
    after = last.id
  }
}

/** Each content once, from whichever region has it. */
async function* artifacts({ orm }: ExportingPlatform, { organization, at }: ExportedFiles) {
  let after = ''
  for (;;) {
    const page = await withOrganization(orm, organization.id, (em) =>
      em.execute<({ sha256: string } & StoredObject)[]>(
        `select distinct on (r.sha256) r.sha256, r.region, a.object_key as key
         from artifact_reference r join artifact a using (sha256, region)
         where r.sha256 > ? and r.expires_at > ? order by r.sha256 limit ${filesAtOnce}`,
        [after, at],
      ),
    )
    yield* page
    const last = page.at(-1)
    if (last === undefined) return
    after = last.sha256
  }
}
