import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { FramelessProblemPage } from './frameless-problem-page.tsx'
import { rootRoute } from './root-route.ts'

/** The pages of somebody who is not signed in. */
export const visitorRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'visitor',
  component: lazyRouteComponent(() => import('./visitor-layout.tsx'), 'VisitorLayout'),
  errorComponent: FramelessProblemPage,
})
