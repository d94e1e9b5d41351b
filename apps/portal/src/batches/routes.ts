import { BatchStatus } from '@pdfnorm/contracts/schema/batch'
import { Uuid } from '@pdfnorm/contracts/schema/identifier'
import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router'
import { z } from 'zod'
import { queryClient } from '../session/query-client.ts'
import { memberRoute } from '../shell/member-route.ts'
import { batchesQuery, batchQuery, documentsQuery } from './queries.ts'

const page = z.int().min(1).optional().catch(undefined)

const batchesRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: '/batches',
  validateSearch: z.object({ status: BatchStatus.optional().catch(undefined), page }),
  loaderDeps: ({ search: { status, page = 1 } }) => ({ ...(status && { status }), page }),
  loader: ({ deps }) => queryClient.ensureQueryData(batchesQuery(deps)),
  component: lazyRouteComponent(() => import('./batches-page.tsx'), 'BatchesPage'),
})

const batchRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: '/batches/$batchId',
  validateSearch: z.object({ page }),
  loaderDeps: ({ search: { page = 1 } }) => ({ page }),
  loader: async ({ params: { batchId }, deps }) => {
    if (!Uuid.safeParse(batchId).success) throw notFound()
    await Promise.all([
      queryClient.ensureQueryData(batchQuery(batchId)),
      queryClient.ensureQueryData(documentsQuery(batchId, deps.page)),
    ])
  },
  component: lazyRouteComponent(() => import('./batch-page.tsx'), 'BatchPage'),
})

export const batchesRoutes = [batchesRoute, batchRoute] as const
