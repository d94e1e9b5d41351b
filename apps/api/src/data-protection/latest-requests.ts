import type { DataRequests } from '@pdfnorm/contracts/schema/data-requests'
import { isAtLeast, leastRole } from '@pdfnorm/contracts/schema/member'
import type { MemberCaller } from '../caller.ts'
import { withOrganization } from '../database/transaction.ts'
import type { Platform } from '../platform.ts'
import { AccountDeletionEntity, accountDeletionResponse } from './account-deletion.ts'
import { DataExportEntity, dataExportResponse } from './data-export.ts'
import { ErasureEntity } from './erasure.ts'

/** Where the organization's latest requests stand: a mail leads to the portal, and knows no export by its id. */
export async function latestRequests(
  { orm }: Pick<Platform, 'orm'>,
  { organization, role }: MemberCaller,
): Promise<DataRequests> {
  const organizationId = organization.id
  const mayDelete = isAtLeast(role, leastRole.deleteAccount)
  return withOrganization(orm, organizationId, async (em) => {
    const [dataExport] = await em.findAll(DataExportEntity, {
      orderBy: { requestedAt: 'desc', id: 'desc' },
      limit: 1,
    })
    const erasure = await em.findOne(ErasureEntity, { organizationId })
    const deletion = mayDelete ? await em.findOne(AccountDeletionEntity, { organizationId }) : null
    return {
      export: dataExport
        ? {
            ...dataExportResponse(dataExport),
            expiresAt: dataExport.expiresAt?.toISOString() ?? null,
          }
        : null,
      erasure: erasure && {
        requestedAt: erasure.requestedAt.toISOString(),
        completedAt: erasure.completedAt?.toISOString() ?? null,
      },
      deletion: deletion && accountDeletionResponse(deletion),
    }
  })
}
