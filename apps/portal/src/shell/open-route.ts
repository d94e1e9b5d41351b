import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { openSession } from '../session/session.ts'
import { FramelessProblemPage } from './frameless-problem-page.tsx'
import { readFrame } from './read-frame.ts'
import { rootRoute } from './root-route.ts'

/** The pages for everybody: members see them in their own frame. */
export const openRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'open',
  loader: async () => {
    // Who cannot be told from a visitor is one: the page asks nobody.
    if ((await openSession().catch(() => null)) !== null) await readFrame()
  },
  component: lazyRouteComponent(() => import('./open-layout.tsx'), 'OpenLayout'),
  errorComponent: FramelessProblemPage,
})
