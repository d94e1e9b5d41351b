import type { DataExport as DataExportResponse } from '@pdfnorm/contracts/schema/data-export'
import { limits } from '@pdfnorm/contracts/schema/limit'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { MemberCaller } from '../caller.ts'
import { withOrganization } from '../database/transaction.ts'
import type { Platform } from '../platform.ts'
import { type DataExport, DataExportEntity, dataExportResponse } from './data-export.ts'

/** GET /api/portal/data-export/{id}/status. */
export async function findExport(
  platform: Pick<Platform, 'orm'>,
  caller: MemberCaller,
  exportId: string,
): Promise<DataExportResponse | Refusal<'NOT_FOUND'>> {
  const found = await ownExport(platform, caller, exportId)
  return found instanceof Refusal ? found : dataExportResponse(found)
}

/**
 * GET /api/portal/data-export/{id}/download.
 *
 * @returns an address at which the archive is for anybody who has it, for a quarter of an hour
 */
export async function presignExport(
  platform: Pick<Platform, 'orm' | 'objects' | 'clock'>,
  caller: MemberCaller,
  exportId: string,
): Promise<{ url: string } | Refusal<'EXPORT_NOT_READY' | 'NOT_FOUND' | 'EXPIRED'>> {
  const found = await ownExport(platform, caller, exportId)
  if (found instanceof Refusal) return found
  const { region, archiveKey, completedAt, expiresAt } = found
  if (!archiveKey || !completedAt || !expiresAt) {
    return new Refusal('EXPORT_NOT_READY', 'The export is being built. Ask for its status.')
  }
  if (expiresAt <= platform.clock.now()) {
    const detail = `The export could be downloaded until ${expiresAt.toISOString()}. Ask for another.`
    return new Refusal('EXPIRED', detail)
  }
  const url = await platform.objects.presign(region, archiveKey, {
    expiresInSeconds: limits.exportDownloadSeconds,
    fileName: `${caller.organization.schemaName}-${completedAt.toISOString().slice(0, 10)}.zip`,
    contentType: 'application/zip',
  })
  return { url }
}

/** Another organization's export is as unknown as none. */
async function ownExport(
  { orm }: Pick<Platform, 'orm'>,
  { organization }: MemberCaller,
  id: string,
): Promise<DataExport | Refusal<'NOT_FOUND'>> {
  const found = await withOrganization(orm, organization.id, (em) =>
    em.findOne(DataExportEntity, { id }),
  )
  return found ?? new Refusal('NOT_FOUND', `There is no export ${id}.`)
}
