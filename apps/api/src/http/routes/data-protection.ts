import { dataProtection } from '@pdfnorm/contracts/endpoint/data-protection'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import { cancelAccountDeletion } from '../../data-protection/cancel-account-deletion.ts'
import { findAccountDeletion } from '../../data-protection/find-account-deletion.ts'
import { findExport, presignExport } from '../../data-protection/find-export.ts'
import { requestAccountDeletion } from '../../data-protection/request-account-deletion.ts'
import { requestErasure } from '../../data-protection/request-erasure.ts'
import { requestExport } from '../../data-protection/request-export.ts'
import { routes } from '../mount.ts'
import { refuse } from '../problem-response.ts'
import { memberCallerOf } from '../request-context.ts'

export const dataProtectionRoutes = routes(dataProtection, (platform) => ({
  requestDataExport: async ({ req, res }) => {
    const requested = await requestExport(platform, memberCallerOf(req))
    if (requested instanceof Refusal) return refuse(platform.config, { req, res }, requested)
    return { status: 202, body: requested }
  },

  getDataExport: async ({ params, req, res }) => {
    const found = await findExport(platform, memberCallerOf(req), params.id)
    if (found instanceof Refusal) return refuse(platform.config, { req, res }, found)
    return { status: 200, body: found }
  },

  downloadDataExport: async ({ params, req, res }) => {
    const presigned = await presignExport(platform, memberCallerOf(req), params.id)
    if (presigned instanceof Refusal) return refuse(platform.config, { req, res }, presigned)
    res.setHeader('Location', presigned.url)
    return { status: 302, body: undefined }
  },

  eraseContent: async ({ req, res }) => {
    const scheduled = await requestErasure(platform, memberCallerOf(req))
    if (scheduled instanceof Refusal) return refuse(platform.config, { req, res }, scheduled)
    return { status: 200, body: scheduled }
  },

  requestAccountDeletion: async ({ req, res }) => {
    const requested = await requestAccountDeletion(platform, memberCallerOf(req))
    if (requested instanceof Refusal) return refuse(platform.config, { req, res }, requested)
    return { status: 202, body: requested }
  },

  getAccountDeletion: async ({ req, res }) => {
    const found = await findAccountDeletion(platform, memberCallerOf(req))
    if (found instanceof Refusal) return refuse(platform.config, { req, res }, found)
    return { status: 200, body: found }
  },

  cancelAccountDeletion: async ({ req, res }) => {
    const cancelled = await cancelAccountDeletion(platform, memberCallerOf(req))
    if (cancelled instanceof Refusal) return refuse(platform.config, { req, res }, cancelled)
    return { status: 200, body: cancelled }
  },
}))
