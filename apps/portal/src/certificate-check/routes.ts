import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { memberRoute } from '../shell/member-route.ts'

const certificateCheckRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: '/certificate-check',
  component: lazyRouteComponent(
    () => import('./certificate-check-page.tsx'),
    'CertificateCheckPage',
  ),
})

export const certificateCheckRoutes = [certificateCheckRoute] as const
