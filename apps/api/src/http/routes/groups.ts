import type { MountableGroup } from '../mount.ts'
import { apiKeyRoutes } from './api-keys.ts'
import { artifactRoutes } from './artifacts.ts'
import { attestationRoutes } from './attestations.ts'
import { authRoutes } from './auth.ts'
import { batchRoutes } from './batches.ts'
import { billingRoutes } from './billing.ts'
import { dataProtectionRoutes } from './data-protection.ts'
import { normalizeRoutes } from './normalize.ts'
import { organizationRoutes } from './organization.ts'
import { reportRoutes } from './reports.ts'
import { statisticsRoutes } from './statistics.ts'
import { submissionRoutes } from './submissions.ts'
import { teamRoutes } from './team.ts'
import { webhookRoutes } from './webhooks.ts'

/** The groups that have routes; the endpoints of the others answer 501. */
export const groups: readonly MountableGroup[] = [
  authRoutes,
  apiKeyRoutes,
  organizationRoutes,
  teamRoutes,
  normalizeRoutes,
  submissionRoutes,
  reportRoutes,
  artifactRoutes,
  attestationRoutes,
  statisticsRoutes,
  billingRoutes,
  dataProtectionRoutes,
  batchRoutes,
  webhookRoutes,
]
