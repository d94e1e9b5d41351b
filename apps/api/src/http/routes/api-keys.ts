import { apiKeys } from '@pdfnorm/contracts/endpoint/api-keys'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import { createApiKey } from '../../api-key/create-api-key.ts'
import { listApiKeys } from '../../api-key/list-api-keys.ts'
import { revokeApiKey } from '../../api-key/revoke-api-key.ts'
import { rotateApiKey } from '../../api-key/rotate-api-key.ts'
import { routes } from '../mount.ts'
import { refuse } from '../problem-response.ts'
import { contextOf, memberCallerOf } from '../request-context.ts'

export const apiKeyRoutes = routes(apiKeys, (platform) => ({
  listApiKeys: async ({ req }) => ({
    status: 200,
    body: await listApiKeys(platform, memberCallerOf(req)),
  }),

  createApiKey: async ({ body, req, res }) => {
    const { apiVersion } = contextOf(req)
    const created = await createApiKey(platform, memberCallerOf(req), body, apiVersion)
    if (created instanceof Refusal) return refuse(platform.config, { req, res }, created)
    return { status: 200, body: created }
  },

  revokeApiKey: async ({ params, req, res }) => {
    const revoked = await revokeApiKey(platform, memberCallerOf(req), params.id)
    if (revoked instanceof Refusal) return refuse(platform.config, { req, res }, revoked)
    return { status: 200, body: revoked }
  },

  rotateApiKey: async ({ params, body, req, res }) => {
    const rotated = await rotateApiKey(platform, memberCallerOf(req), params.id, body)
    if (rotated instanceof Refusal) return refuse(platform.config, { req, res }, rotated)
    return { status: 201, body: rotated }
  },
}))
