import { isAtLeast, leastRole } from '@pdfnorm/contracts/schema/member'
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../session/query-client.ts'
import { openSession } from '../session/session.ts'
import { memberRoute } from '../shell/member-route.ts'
import { dataRequestsQuery } from './queries.ts'

const dataProtectionRoute = createRoute({
  getParentRoute: () => memberRoute,
  // Where the mails about exports and deletions lead (apps/api/src/data-protection/mail-notice.ts).
  path: '/data-protection',
  loader: async () => {
    const session = await openSession()
    if (session === null || !isAtLeast(session.role, leastRole.exportData)) return
    await queryClient.ensureQueryData(dataRequestsQuery)
  },
  component: lazyRouteComponent(() => import('./data-protection-page.tsx'), 'DataProtectionPage'),
})

export const dataProtectionRoutes = [dataProtectionRoute] as const
