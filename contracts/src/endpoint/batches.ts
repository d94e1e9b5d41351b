import { z } from 'zod'
import {
  Batch,
  BatchPage,
  BatchStatus,
  BatchSubmissionPage,
  CreateBatchRequest,
} from '../schema/batch.ts'
import { Uuid } from '../schema/identifier.ts'
import { PageQuery } from '../schema/page.ts'
import { refusals } from '../schema/problem.ts'
import type { EndpointMetadata } from './endpoint-metadata.ts'
import { apiKeyRefusals, bodyRefusals } from './endpoint-refusals.ts'
import { rest, strict } from './rest.ts'

const BatchPath = z.object({ batchId: Uuid })

/** Interface, section 4.4; decisions 4.1 and 4.2. */
export const batches = rest.router(
  {
    createBatch: {
      method: 'POST',
      path: '/api/batches',
      summary: 'Create a batch',
      description: 'A batch groups submissions; each of them is processed on its own.',
      metadata: {
        auth: 'api-key',
        scopes: ['normalize'],
        rateLimit: 'normalize',
      } as const satisfies EndpointMetadata,
      body: CreateBatchRequest,
      responses: {
        201: Batch,
        ...refusals(
          ...apiKeyRefusals,
          ...bodyRefusals,
          'WEBHOOK_URL_FORBIDDEN',
          'ORGANIZATION_INACTIVE',
        ),
      },
    },

    listBatches: {
      method: 'GET',
      path: '/api/batches',
      summary: 'List batches',
      description: 'Newest first.',
      metadata: {
        auth: 'api-key',
        scopes: ['read'],
        rateLimit: 'read',
        responseHeaders: { 200: ['X-Total-Count', 'Link'] },
      } as const satisfies EndpointMetadata,
      query: PageQuery.extend({ status: BatchStatus.optional() }),
      responses: { 200: BatchPage, ...refusals(...apiKeyRefusals, 'VALIDATION_ERROR') },
    },

    getBatch: {
      method: 'GET',
      path: '/api/batches/:batchId',
      summary: 'Read a batch',
      description: 'Its status and how many of its submissions have ended in which way.',
      metadata: {
        auth: 'api-key',
        scopes: ['read'],
        rateLimit: 'read',
        faults: { 'path.batchId': 'NOT_FOUND' },
      } as const satisfies EndpointMetadata,
      pathParams: BatchPath,
      responses: { 200: Batch, ...refusals(...apiKeyRefusals, 'NOT_FOUND') },
    },

    listBatchSubmissions: {
      method: 'GET',
      path: '/api/batches/:batchId/submissions',
      summary: 'List the submissions of a batch',
      description: 'Newest first, each as the submission itself was answered.',
      metadata: {
        auth: 'api-key',
        scopes: ['read'],
        rateLimit: 'read',
        faults: { 'path.batchId': 'NOT_FOUND' },
        responseHeaders: { 200: ['X-Total-Count', 'Link'] },
      } as const satisfies EndpointMetadata,
      pathParams: BatchPath,
      query: PageQuery,
      responses: {
        200: BatchSubmissionPage,
        ...refusals(...apiKeyRefusals, 'VALIDATION_ERROR', 'NOT_FOUND'),
      },
    },
  },
  strict,
)
