import { createRouter } from '@tanstack/react-router'
import { apiKeysRoutes } from './api-keys/routes.ts'
import { batchesRoutes } from './batches/routes.ts'
import { billingRoutes } from './billing/routes.ts'
import { certificateCheckRoutes } from './certificate-check/routes.ts'
import { dataProtectionRoutes } from './data-protection/routes.ts'
import { organizationRoutes } from './organization/routes.ts'
import { overviewRoutes } from './overview/routes.ts'
import { playgroundRoutes } from './playground/routes.ts'
import { memberRoute } from './shell/member-route.ts'
import { missingRoute } from './shell/missing-route.ts'
import { openRoute } from './shell/open-route.ts'
import { rootRoute } from './shell/root-route.ts'
import { visitorRoute } from './shell/visitor-route.ts'
import { PendingPage } from './page/pending-page.tsx'
import { ProblemPage } from './problem/problem-page.tsx'
import { MissingPage } from './page/missing-page.tsx'
import { signInRoutes } from './sign-in/routes.ts'
import { submissionsRoutes } from './submissions/routes.ts'
import { teamRoutes } from './team/routes.ts'
import { webhooksRoutes } from './webhooks/routes.ts'

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    visitorRoute.addChildren([...signInRoutes]),
    openRoute.addChildren([...certificateCheckRoutes, missingRoute]),
    memberRoute.addChildren([
      ...overviewRoutes,
      ...playgroundRoutes,
      ...submissionsRoutes,
      ...batchesRoutes,
      ...apiKeysRoutes,
      ...webhooksRoutes,
      ...teamRoutes,
      ...organizationRoutes,
      ...billingRoutes,
      ...dataProtectionRoutes,
    ]),
  ]),
  defaultPreload: 'intent',
  // What was read stays with the queries, which know how old it is.
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 250,
  defaultPendingComponent: PendingPage,
  defaultErrorComponent: ProblemPage,
  defaultNotFoundComponent: MissingPage,
  scrollRestoration: true,
})

// Whoever reads with the ears hears where a link has led; a page that was just opened begins at its beginning.
router.subscribe('onResolved', ({ fromLocation, pathChanged }) => {
  if (fromLocation !== undefined && pathChanged)
    document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
