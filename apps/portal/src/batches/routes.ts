import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { memberRoute } from '../shell/member-route.ts'

const batchesRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: '/batches',
  component: lazyRouteComponent(() => import('./batches-page.tsx'), 'BatchesPage'),
})

export const batchesRoutes = [batchesRoute] as const
