import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { z } from 'zod'
import { historyQuery } from '../overview/queries.ts'
import { queryClient } from '../session/query-client.ts'
import { memberRoute } from '../shell/member-route.ts'
import { Returned } from './processor-page.ts'
import { billingQuery, chargesQuery } from './queries.ts'

const billingRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: '/billing',
  validateSearch: z.object({ returned: Returned.optional().catch(undefined) }),
  loader: async () => {
    await Promise.all([
      queryClient.ensureQueryData(billingQuery),
      queryClient.ensureQueryData(chargesQuery),
      queryClient.ensureQueryData(historyQuery),
    ])
  },
  component: lazyRouteComponent(() => import('./billing-page.tsx'), 'BillingPage'),
})

export const billingRoutes = [billingRoute] as const
