import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { queryClient } from '../session/query-client.ts'
import { memberRoute } from '../shell/member-route.ts'
import { apiKeysQuery } from './queries.ts'

const apiKeysRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: '/api-keys',
  validateSearch: z.object({ show: z.literal('ended').optional().catch(undefined) }),
  loader: () => queryClient.ensureQueryData(apiKeysQuery),
  component: lazyRouteComponent(() => import('./api-keys-page.tsx'), 'ApiKeysPage'),
})

export const apiKeysRoutes = [apiKeysRoute] as const
