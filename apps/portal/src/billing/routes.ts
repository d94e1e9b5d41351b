import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { memberRoute } from '../shell/member-route.ts'

const billingRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: '/billing',
  component: lazyRouteComponent(() => import('./billing-page.tsx'), 'BillingPage'),
})

export const billingRoutes = [billingRoute] as const
