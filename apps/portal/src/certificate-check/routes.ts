import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { openRoute } from '../shell/open-route.ts'

const certificateCheckRoute = createRoute({
  getParentRoute: () => openRoute,
  path: '/certificate-check',
  component: lazyRouteComponent(
    () => import('./certificate-check-page.tsx'),
    'CertificateCheckPage',
  ),
})

export const certificateCheckRoutes = [certificateCheckRoute] as const
