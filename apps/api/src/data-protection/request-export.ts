import type { DataExport as DataExportResponse } from '@pdfnorm/contracts/schema/data-export'
import { leastRole } from '@pdfnorm/contracts/schema/member'
import type { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { Region } from '@pdfnorm/contracts/schema/region'
import { v7 as uuidv7 } from 'uuid'
import type { MemberCaller } from '../caller.ts'
import { actAsMember } from '../organization/change-as-member.ts'
import type { Organization } from '../organization/organization.ts'
import type { Platform } from '../platform.ts'
import { DataExportEntity, dataExportResponse } from './data-export.ts'

/** POST /api/portal/data-export. Of two that come at once, one asks for the export and both get it. */
export async function requestExport(
  { orm, clock, queue }: Pick<Platform, 'orm' | 'clock' | 'queue'>,
  caller: MemberCaller,
): Promise<DataExportResponse | Refusal<'INSUFFICIENT_ROLE' | 'INVALID_ACCESS_TOKEN'>> {
  return actAsMember(orm, caller, leastRole.exportData, async (em, organization) => {
    const pending = await em.findOne(DataExportEntity, { status: 'pending' })
    if (pending !== null) return dataExportResponse(pending)

    const requested = em.create(DataExportEntity, {
      id: uuidv7(),
      organizationId: organization.id,
      requestedBy: caller.memberId,
      region: regionOf(organization),
      status: 'pending',
      build: 1,
      requestedAt: clock.now(),
    })
    await em.flush()
    const job = { organizationId: organization.id, exportId: requested.id }
    await queue.send(em, 'build-data-export', job, organization)
    return dataExportResponse(requested)
  })
}

/** Where its documents go that name no region, too (decision 3.13). */
function regionOf({ defaultRegion, allowedRegions }: Organization): Region {
  const region = defaultRegion ?? allowedRegions[0]
  if (region === undefined) throw new Error('An organization may store in no region')
  return region
}
