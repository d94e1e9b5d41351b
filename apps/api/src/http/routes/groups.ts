import type { MountableGroups } from '../mount.ts'
import { apiKeyRoutes } from './api-keys.ts'
import { artifactRoutes } from './artifacts.ts'
import { attestationRoutes } from './attestations.ts'
import { authRoutes } from './auth.ts'
import { batchRoutes } from './batches.ts'
import { billingRoutes } from './billing.ts'
import { dataProtectionRoutes } from './data-protection.ts'
import { memberDocumentRoutes } from './member-documents.ts'
import { normalizeRoutes } from './normalize.ts'
import { organizationRoutes } from './organization.ts'
import { reportRoutes } from './reports.ts'
import { statisticsRoutes } from './statistics.ts'
import { submissionRoutes } from './submissions.ts'
import { teamRoutes } from './team.ts'
import { webhookRoutes } from './webhooks.ts'

/** The routes of every group of the contract. */
export const groups = {
  auth: authRoutes,
  apiKeys: apiKeyRoutes,
  organization: organizationRoutes,
  team: teamRoutes,
  normalize: normalizeRoutes,
  submissions: submissionRoutes,
  reports: reportRoutes,
  artifacts: artifactRoutes,
  attestations: attestationRoutes,
  statistics: statisticsRoutes,
  billing: billingRoutes,
  dataProtection: dataProtectionRoutes,
  batches: batchRoutes,
  webhooks: webhookRoutes,
  memberDocuments: memberDocumentRoutes,
} as const satisfies MountableGroups
