import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { memberRoute } from '../shell/member-route.ts'

const dataProtectionRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: '/data-protection',
  component: lazyRouteComponent(() => import('./data-protection-page.tsx'), 'DataProtectionPage'),
})

export const dataProtectionRoutes = [dataProtectionRoute] as const
