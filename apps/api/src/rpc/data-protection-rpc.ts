import { dataProtection } from '@pdfnorm/contracts/endpoint/data-protection'
import { AccountDeletion } from '@pdfnorm/contracts/schema/account-deletion'
import { DataExport, ErasureResult } from '@pdfnorm/contracts/schema/data-export'
import { DataRequests } from '@pdfnorm/contracts/schema/data-requests'
import { Uuid } from '@pdfnorm/contracts/schema/identifier'
import { z } from 'zod'
import { cancelAccountDeletion } from '../data-protection/cancel-account-deletion.ts'
import { findAccountDeletion } from '../data-protection/find-account-deletion.ts'
import { findExport, presignExport } from '../data-protection/find-export.ts'
import { latestRequests } from '../data-protection/latest-requests.ts'
import { requestAccountDeletion } from '../data-protection/request-account-deletion.ts'
import { requestErasure } from '../data-protection/request-erasure.ts'
import { requestExport } from '../data-protection/request-export.ts'
import { accepted, router, twinOf } from './rpc.ts'

const ExportId = z.object({ id: Uuid })

/** The twin of the contract's group `dataProtection`. */
export const dataProtectionRpc = router({
  latest: twinOf(dataProtection.getDataExport)
    .output(DataRequests)
    .query(({ ctx }) => latestRequests(ctx.platform, ctx.caller)),

  requestExport: twinOf(dataProtection.requestDataExport)
    .output(DataExport)
    .mutation(async ({ ctx }) => accepted(await requestExport(ctx.platform, ctx.caller))),

  export: twinOf(dataProtection.getDataExport)
    .input(ExportId)
    .output(DataExport)
    .query(async ({ ctx, input }) =>
      accepted(await findExport(ctx.platform, ctx.caller, input.id)),
    ),

  exportUrl: twinOf(dataProtection.downloadDataExport)
    .input(ExportId)
    .output(z.object({ url: z.url() }))
    .query(async ({ ctx, input }) =>
      accepted(await presignExport(ctx.platform, ctx.caller, input.id)),
    ),

  erase: twinOf(dataProtection.eraseContent)
    .output(ErasureResult)
    .mutation(async ({ ctx }) => accepted(await requestErasure(ctx.platform, ctx.caller))),

  requestDeletion: twinOf(dataProtection.requestAccountDeletion)
    .output(AccountDeletion)
    .mutation(async ({ ctx }) => accepted(await requestAccountDeletion(ctx.platform, ctx.caller))),

  deletion: twinOf(dataProtection.getAccountDeletion)
    .output(AccountDeletion)
    .query(async ({ ctx }) => accepted(await findAccountDeletion(ctx.platform, ctx.caller))),

  cancelDeletion: twinOf(dataProtection.cancelAccountDeletion)
    .output(AccountDeletion)
    .mutation(async ({ ctx }) => accepted(await cancelAccountDeletion(ctx.platform, ctx.caller))),
})
