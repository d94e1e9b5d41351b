import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { memberRoute } from '../shell/member-route.ts'

const playgroundRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: '/playground',
  component: lazyRouteComponent(() => import('./playground-page.tsx'), 'PlaygroundPage'),
})

export const playgroundRoutes = [playgroundRoute] as const
