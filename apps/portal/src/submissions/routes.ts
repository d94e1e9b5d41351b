import { Uuid } from '@pdfnorm/contracts/schema/identifier'
import { SubmissionStatus } from '@pdfnorm/contracts/schema/submission'
import { createRoute, lazyRouteComponent, notFound } from '@tanstack/react-router'
import { z } from 'zod'
import { queryClient } from '../session/query-client.ts'
import { memberRoute } from '../shell/member-route.ts'
import { reportQuery, submissionQuery, submissionsQuery } from './queries.ts'

const submissionsRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: '/submissions',
  validateSearch: z.object({
    status: SubmissionStatus.optional().catch(undefined),
    page: z.int().min(1).optional().catch(undefined),
  }),
  loaderDeps: ({ search: { status, page = 1 } }) => ({ ...(status && { status }), page }),
  loader: ({ deps }) => queryClient.ensureQueryData(submissionsQuery(deps)),
  component: lazyRouteComponent(() => import('./submissions-page.tsx'), 'SubmissionsPage'),
})

const submissionRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: '/submissions/$submissionId',
  loader: async ({ params: { submissionId } }) => {
    if (!Uuid.safeParse(submissionId).success) throw notFound()
    const { normalized } = await queryClient.ensureQueryData(submissionQuery(submissionId))
    // On its way while the page is drawn, which does not wait for it.
    if (normalized !== null) void queryClient.prefetchQuery(reportQuery(normalized.sha256))
  },
  component: lazyRouteComponent(() => import('./submission-page.tsx'), 'SubmissionPage'),
})

export const submissionsRoutes = [submissionsRoute, submissionRoute] as const
