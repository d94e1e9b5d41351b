import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { memberRoute } from '../shell/member-route.ts'

const playgroundRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: '/playground',
  // `?sample=true`: a first document is there already.
  validateSearch: z.object({ sample: z.boolean().optional().catch(undefined) }),
  component: lazyRouteComponent(() => import('./playground-page.tsx'), 'PlaygroundPage'),
})

export const playgroundRoutes = [playgroundRoute] as const
