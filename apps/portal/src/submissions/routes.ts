import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { memberRoute } from '../shell/member-route.ts'

const submissionsRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: '/submissions',
  component: lazyRouteComponent(() => import('./submissions-page.tsx'), 'SubmissionsPage'),
})

export const submissionsRoutes = [submissionsRoute] as const
