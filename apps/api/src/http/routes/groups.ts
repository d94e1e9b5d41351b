import type { MountableGroup } from '../mount.ts'
import { apiKeyRoutes } from './api-keys.ts'
import { authRoutes } from './auth.ts'
import { organizationRoutes } from './organization.ts'

/** The groups that have routes; the endpoints of the others answer 501. */
export const groups: readonly MountableGroup[] = [authRoutes, apiKeyRoutes, organizationRoutes]
