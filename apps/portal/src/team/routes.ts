import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { memberRoute } from '../shell/member-route.ts'

const teamRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: '/team',
  component: lazyRouteComponent(() => import('./team-page.tsx'), 'TeamPage'),
})

export const teamRoutes = [teamRoute] as const
