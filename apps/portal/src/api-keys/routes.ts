import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { memberRoute } from '../shell/member-route.ts'

const apiKeysRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: '/api-keys',
  component: lazyRouteComponent(() => import('./api-keys-page.tsx'), 'ApiKeysPage'),
})

export const apiKeysRoutes = [apiKeysRoute] as const
