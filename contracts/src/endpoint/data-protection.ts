import { z } from 'zod'
import { AccountDeletion } from '../schema/account-deletion.ts'
import { DataExport, ErasureResult } from '../schema/data-export.ts'
import { Uuid } from '../schema/identifier.ts'
import { leastRole } from '../schema/member.ts'
import { refusals } from '../schema/problem.ts'
import type { EndpointMetadata } from './endpoint-metadata.ts'
import { roleRefusals } from './endpoint-refusals.ts'
import { rest, strict } from './rest.ts'

const ExportPath = z.object({ id: Uuid })

const readsExport = {
  auth: 'bearer',
  role: leastRole.exportData,
  rateLimit: 'portal',
  faults: { 'path.id': 'NOT_FOUND' },
} as const satisfies EndpointMetadata

const deletesAccount = {
  auth: 'bearer',
  role: leastRole.deleteAccount,
  rateLimit: 'portal',
} as const satisfies EndpointMetadata

/**
 * Interface, section 4.10; decisions 6.1 to 6.3. None of these refuses a deactivated organization: the rights to the own
 * data do not end with it (docs/decisions/0015-rights-to-data.md).
 */
export const dataProtection = rest.router(
  {
    requestDataExport: {
      method: 'POST',
      path: '/api/portal/data-export',
      summary: 'Ask for an export of all data',
      description: 'One export is made at a time: while one is pending it is answered again.',
      metadata: {
        auth: 'bearer',
        role: leastRole.exportData,
        rateLimit: 'portal',
      } as const satisfies EndpointMetadata,
      body: rest.noBody(),
      responses: { 202: DataExport, ...refusals(...roleRefusals) },
    },

    getDataExport: {
      method: 'GET',
      path: '/api/portal/data-export/:id/status',
      summary: 'Read the status of an export',
      description: 'It can be downloaded when it is completed.',
      metadata: readsExport,
      pathParams: ExportPath,
      responses: { 200: DataExport, ...refusals(...roleRefusals, 'NOT_FOUND') },
    },

    downloadDataExport: {
      method: 'GET',
      path: '/api/portal/data-export/:id/download',
      summary: 'Download an export',
      description:
        'Redirects to an address that is good for 15 minutes. Exports are kept for 7 days, and until an erasure.',
      metadata: {
        ...readsExport,
        responseHeaders: { 302: ['Location', 'Cache-Control'] },
        redirectsTo: { contentType: 'application/zip', description: 'The export as a ZIP file.' },
      } as const satisfies EndpointMetadata,
      pathParams: ExportPath,
      responses: {
        302: rest.noBody(),
        ...refusals(...roleRefusals, 'EXPORT_NOT_READY', 'NOT_FOUND', 'EXPIRED'),
      },
    },

    eraseContent: {
      method: 'POST',
      path: '/api/portal/erasure',
      summary: 'Erase all documents',
      description:
        'Originals, outputs and reports of the organization are gone at once; records keep hashes and status. ' +
        'What another organization has too stays for it.',
      metadata: {
        auth: 'bearer',
        role: leastRole.eraseContent,
        rateLimit: 'portal',
      } as const satisfies EndpointMetadata,
      body: rest.noBody(),
      responses: { 200: ErasureResult, ...refusals(...roleRefusals) },
    },

    requestAccountDeletion: {
      method: 'DELETE',
      path: '/api/portal/data',
      summary: 'Delete the account',
      description:
        'After 72 hours, in which it can be cancelled, the account and all its data are gone.',
      metadata: deletesAccount,
      responses: { 202: AccountDeletion, ...refusals(...roleRefusals) },
    },

    getAccountDeletion: {
      method: 'GET',
      path: '/api/portal/data-deletion/status',
      summary: 'Read the request to delete the account',
      description: 'Pending, or cancelled if the last one was. Not found when there was none.',
      metadata: deletesAccount,
      responses: { 200: AccountDeletion, ...refusals(...roleRefusals, 'NO_PENDING_DELETION') },
    },

    cancelAccountDeletion: {
      method: 'DELETE',
      path: '/api/portal/data-deletion/cancel',
      summary: 'Keep the account',
      description: 'Cancels the pending deletion within its 72 hours.',
      metadata: deletesAccount,
      responses: {
        200: AccountDeletion,
        ...refusals(...roleRefusals, 'COOLING_OFF_EXPIRED', 'NO_PENDING_DELETION'),
      },
    },
  },
  strict,
)
