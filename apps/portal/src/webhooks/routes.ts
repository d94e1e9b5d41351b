import { Uuid } from '@pdfnorm/contracts/schema/identifier'
import { isAtLeast, leastRole } from '@pdfnorm/contracts/schema/member'
import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router'
import { z } from 'zod'
import { queryClient } from '../session/query-client.ts'
import { currentSession } from '../session/session.ts'
import { memberRoute } from '../shell/member-route.ts'
import { deadLettersQuery, deliveriesQuery, webhooksQuery } from './queries.ts'

const PageSearch = z.object({ page: z.int().min(1).optional().catch(undefined) })

const webhooksRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: '/webhooks',
  loader: () =>
    Promise.all([
      queryClient.ensureQueryData(webhooksQuery),
      mayReadDeliveries() && queryClient.ensureQueryData(deadLettersQuery({ page: 1 })),
    ]),
  component: lazyRouteComponent(() => import('./webhooks-page.tsx'), 'WebhooksPage'),
})

const deadLettersRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: '/webhooks/dead',
  validateSearch: PageSearch,
  loaderDeps: ({ search: { page = 1 } }) => ({ page }),
  loader: async ({ deps }) => {
    if (mayReadDeliveries()) await queryClient.ensureQueryData(deadLettersQuery(deps))
  },
  component: lazyRouteComponent(() => import('./dead-letters-page.tsx'), 'DeadLettersPage'),
})

const webhookRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: '/webhooks/$webhookId',
  validateSearch: PageSearch,
  loaderDeps: ({ search: { page = 1 } }) => ({ page }),
  loader: async ({ params: { webhookId: id }, deps: { page } }) => {
    if (!Uuid.safeParse(id).success) throw notFound()
    const [webhooks] = await Promise.all([
      queryClient.ensureQueryData(webhooksQuery),
      // What comes of it is for the page to tell.
      mayReadDeliveries() && queryClient.prefetchQuery(deliveriesQuery({ id, page })),
    ])
    if (!webhooks.some((webhook) => webhook.id === id)) throw notFound()
  },
  component: lazyRouteComponent(() => import('./webhook-page.tsx'), 'WebhookPage'),
})

export const webhooksRoutes = [webhooksRoute, deadLettersRoute, webhookRoute] as const

function mayReadDeliveries(): boolean {
  const session = currentSession()
  return session !== null && isAtLeast(session.role, leastRole.readDeliveries)
}
