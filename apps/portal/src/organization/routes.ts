import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { memberRoute } from '../shell/member-route.ts'

const organizationRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: '/organization',
  component: lazyRouteComponent(() => import('./organization-page.tsx'), 'OrganizationPage'),
})

export const organizationRoutes = [organizationRoute] as const
