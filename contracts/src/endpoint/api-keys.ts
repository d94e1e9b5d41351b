import { z } from 'zod'
import {
  ApiKeyResponse,
  CreateApiKeyRequest,
  CreatedApiKey,
  RevokedApiKey,
  RotateApiKeyRequest,
} from '../schema/api-key.ts'
import { Uuid } from '../schema/identifier.ts'
import { leastRole } from '../schema/member.ts'
import { refusals } from '../schema/problem.ts'
import type { EndpointMetadata } from './endpoint-metadata.ts'
import { bodyRefusals, changeRefusals, memberRefusals } from './endpoint-refusals.ts'
import { rest, strict } from './rest.ts'

const KeyPath = z.object({ id: Uuid })

/** Interface, section 4.7; decisions 3.4 and 3.7. */
export const apiKeys = rest.router(
  {
    listApiKeys: {
      method: 'GET',
      path: '/api/portal/api-keys',
      summary: 'List API keys',
      description: 'Newest first, those that were revoked lately too.',
      metadata: {
        auth: 'bearer',
        role: leastRole.readApiKeys,
        rateLimit: 'portal',
      } as const satisfies EndpointMetadata,
      responses: { 200: z.array(ApiKeyResponse), ...refusals(...memberRefusals) },
    },

    createApiKey: {
      method: 'POST',
      path: '/api/portal/api-keys',
      summary: 'Create an API key',
      description: 'The answer is the only place where the complete key is shown.',
      metadata: {
        auth: 'bearer',
        role: leastRole.changeApiKeys,
        rateLimit: 'portal',
        responseHeaders: { 200: ['Cache-Control'] },
      } as const satisfies EndpointMetadata,
      body: CreateApiKeyRequest,
      responses: {
        200: CreatedApiKey,
        ...refusals(...changeRefusals, ...bodyRefusals, 'API_KEY_LIMIT_REACHED'),
      },
    },

    revokeApiKey: {
      method: 'DELETE',
      path: '/api/portal/api-keys/:id',
      summary: 'Revoke an API key',
      description: 'The key is refused at once.',
      metadata: {
        auth: 'bearer',
        role: leastRole.changeApiKeys,
        rateLimit: 'portal',
        faults: { 'path.id': 'NOT_FOUND' },
      } as const satisfies EndpointMetadata,
      pathParams: KeyPath,
      responses: { 200: RevokedApiKey, ...refusals(...changeRefusals, 'NOT_FOUND') },
    },

    rotateApiKey: {
      method: 'POST',
      path: '/api/portal/api-keys/:id/rotate',
      summary: 'Rotate an API key',
      description:
        'Creates a key with the same name, scopes and expiry; the old one goes on working for the overlap. A key ' +
        'is replaced once: after that its successor is the one to rotate.',
      metadata: {
        auth: 'bearer',
        role: leastRole.changeApiKeys,
        rateLimit: 'portal',
        faults: { 'path.id': 'NOT_FOUND' },
        responseHeaders: { 201: ['Cache-Control'] },
      } as const satisfies EndpointMetadata,
      pathParams: KeyPath,
      body: RotateApiKeyRequest,
      responses: {
        201: CreatedApiKey,
        ...refusals(...changeRefusals, ...bodyRefusals, 'NOT_FOUND', 'API_KEY_LIMIT_REACHED'),
      },
    },
  },
  strict,
)
