import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { openSession } from '../session/session.ts'
import { FramelessProblemPage } from './frameless-problem-page.tsx'
import { readFrame } from './read-frame.ts'
import { rootRoute } from './root-route.ts'

/** The pages of a signed-in member; everybody else is sent to sign in, and from there back. */
export const memberRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'member',
  beforeLoad: async ({ location }) => {
    if ((await openSession()) !== null) return
    const from = location.href === '/' ? undefined : location.href
    throw redirect({ to: '/sign-in', search: { from }, replace: true })
  },
  loader: readFrame,
  component: lazyRouteComponent(() => import('./member-layout.tsx'), 'MemberLayout'),
  errorComponent: FramelessProblemPage,
})
