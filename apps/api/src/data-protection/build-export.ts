import { limits } from '@pdfnorm/contracts/schema/limit'
import { v7 as uuidv7 } from 'uuid'
import {
  abandonObject,
  claimObject,
  keepObject,
  type StoredObject,
} from '../artifact/stored-object.ts'
import { executeTogether, withOrganization } from '../database/transaction.ts'
import { type Organization, OrganizationEntity } from '../organization/organization.ts'
import type { Platform } from '../platform.ts'
import { type DataExport, DataExportEntity } from './data-export.ts'
import { ErasureEntity } from './erasure.ts'
import { ArchiveBrokenOff, openExportArchive, sumsPath } from './export-archive.ts'
import { exportFiles } from './export-files.ts'
import { exportRecords } from './export-records.ts'

type BuildingPlatform = Pick<Platform, 'orm' | 'objects' | 'clock' | 'queue' | 'log'>

/** A build that has begun: what is in it is void when the export's `build` has moved on at its end. */
interface Build {
  readonly organization: Organization
  readonly dataExport: DataExport
}

/** An export waits for an erasure to end, and looks so often whether it has. */
const erasureLookSeconds = 5

const dayMs = 24 * 60 * 60 * 1000

/**
 * The job of an export: builds its archive straight into the storage. Until the export is completed with it, the
 * archive is an object that counts as lost: whatever crashes leaves none, and the job is done again.
 *
 * @param signal aborted when the process stops; the build is broken off
 */
export async function buildExport(
  platform: BuildingPlatform,
  job: { organizationId: string; exportId: string },
  { signal }: { signal: AbortSignal },
): Promise<void> {
  for (;;) {
    const build = await beginBuild(platform, job)
    if (build === null) return
    const { region } = build.dataExport
    const archive = { region, key: `${build.organization.schemaName}/exports/${uuidv7()}.zip` }
    await claimObject(platform, archive)
    try {
      await writeArchive(platform, build, archive, signal)
    } catch (error) {
      await abandonObject(platform, archive)
      throw error
    }
    // Where this throws, the commit may only not have been heard of: then the archive stays, or its claim ends.
    if (await complete(platform, build, archive)) return
    await abandonObject(platform, archive)
  }
}

/** null: there is nothing to build, or not now. */
async function beginBuild(
  { orm, queue }: BuildingPlatform,
  job: { organizationId: string; exportId: string },
): Promise<Build | null> {
  const { organizationId, exportId } = job
  return withOrganization(orm, organizationId, async (em) => {
    const organization = await em.findOne(OrganizationEntity, { id: organizationId })
    const dataExport = await em.findOne(DataExportEntity, { id: exportId, status: 'pending' })
    if (organization === null || dataExport === null) return null
    // What is to be erased is still there, and not to be told from what stays.
    const erasure = await em.findOne(ErasureEntity, { organizationId, completedAt: null })
    if (erasure === null) return { organization, dataExport }

    await queue.send(em, 'build-data-export', job, organization, {
      startAfterSeconds: erasureLookSeconds,
    })
    return null
  })
}

async function writeArchive(
  platform: BuildingPlatform,
  { organization, dataExport }: Build,
  { region, key }: StoredObject,
  signal: AbortSignal,
): Promise<void> {
  const at = platform.clock.now()
  const archive = openExportArchive(at)
  const breakOff = (reason: unknown): never => {
    archive.bytes.destroy(reason instanceof Error ? reason : undefined)
    throw reason
  }
  const stop = () => archive.bytes.destroy(new Error('The process stops', { cause: signal.reason }))
  signal.addEventListener('abort', stop, { once: true })

  if (signal.aborted) stop()

  const fill = async () => {
    await archive.add('README.txt', [readme(organization, dataExport, at)])
    await exportRecords(platform, organization.id, archive)
    const missing = await exportFiles(platform, { organization, at }, archive)
    const facts = {
      exportId: dataExport.id,
      organizationId: organization.id,
      requestedAt: dataExport.requestedAt.toISOString(),
      builtAt: at.toISOString(),
      missing,
    }
    await archive.add('manifest.json', [`${JSON.stringify(facts, null, 2)}\n`])
    await archive.finish()
  }
  try {
    // Both have ended before anybody goes on: the one that fails ends the other.
    const [stored, filled] = await Promise.allSettled([
      platform.objects.putStream(region, key, archive.bytes).catch(breakOff),
      fill().catch(breakOff),
    ])
    const failures = [filled, stored].filter((end) => end.status === 'rejected')
    const cause = failures.find(({ reason }) => !(reason instanceof ArchiveBrokenOff))
    if (failures.length > 0) throw (cause ?? failures[0])?.reason
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** False when an erasure came, or the export has gone or was completed by another process. */
async function complete(
  { orm, clock, queue }: BuildingPlatform,
  { organization, dataExport }: Build,
  archive: StoredObject,
): Promise<boolean> {
  const completedAt = clock.now()
  const expiresAt = new Date(completedAt.getTime() + limits.exportRetentionDays * dayMs)
  return withOrganization(orm, organization.id, async (em) => {
    const { id, build } = dataExport
    const completed = await em.nativeUpdate(
      DataExportEntity,
      { id, build, status: 'pending' },
      { status: 'completed', completedAt, expiresAt, archiveKey: archive.key },
    )
    if (completed === 0) return false
    await executeTogether(em, [keepObject(archive, expiresAt)])
    const notice = { organizationId: organization.id, notice: 'export-completed', id } as const
    await queue.send(em, 'mail-data-notice', notice, organization)
    return true
  })
}

function readme({ name, schemaName }: Organization, { id }: DataExport, at: Date): string {
  return `Export ${id}
of everything that the organization ${JSON.stringify(name)} (${schemaName}) has at pdfnorm,
as of ${at.toISOString()}.

data/        the records, a JSON file for each kind; times are UTC. Passwords, the secrets of API
             keys and webhooks, and what stands for them, are left out.
originals/   the files as they were uploaded, each under the id of its submission
artifacts/   the normalized files, each under the SHA-256 of its bytes
${sumsPath}   the SHA-256 of every other file: sha256sum --check ${sumsPath}
manifest.json   what this export is, and the files that were gone when their turn came

Files whose retention period is over, or that were erased, are not kept and not here; their records are.
`
}
