import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { queryClient } from '../session/query-client.ts'
import { memberRoute } from '../shell/member-route.ts'
import { historyQuery, statisticsQuery } from './queries.ts'

const overviewRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: '/',
  loader: async () => {
    await Promise.all([
      queryClient.ensureQueryData(statisticsQuery),
      queryClient.ensureQueryData(historyQuery),
    ])
  },
  component: lazyRouteComponent(() => import('./overview-page.tsx'), 'OverviewPage'),
})

export const overviewRoutes = [overviewRoute] as const
