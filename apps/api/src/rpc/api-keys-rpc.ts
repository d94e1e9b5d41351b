import { apiKeys } from '@pdfnorm/contracts/endpoint/api-keys'
import {
  ApiKeyResponse,
  CreateApiKeyRequest,
  CreatedApiKey,
  RevokedApiKey,
  RotateApiKeyRequest,
} from '@pdfnorm/contracts/schema/api-key'
import { currentApiVersion } from '@pdfnorm/contracts/schema/api-version'
import { Uuid } from '@pdfnorm/contracts/schema/identifier'
import { z } from 'zod'
import { createApiKey } from '../api-key/create-api-key.ts'
import { listApiKeys } from '../api-key/list-api-keys.ts'
import { revokeApiKey } from '../api-key/revoke-api-key.ts'
import { rotateApiKey } from '../api-key/rotate-api-key.ts'
import { accepted, router, twinOf } from './rpc.ts'

/** The twin of the contract's group `apiKeys`. */
export const apiKeysRpc = router({
  list: twinOf(apiKeys.listApiKeys)
    .output(z.array(ApiKeyResponse))
    .query(({ ctx }) => listApiKeys(ctx.platform, ctx.caller)),

  create: twinOf(apiKeys.createApiKey)
    .input(CreateApiKeyRequest)
    .output(CreatedApiKey)
    .mutation(async ({ ctx, input }) =>
      accepted(await createApiKey(ctx.platform, ctx.caller, input, currentApiVersion)),
    ),

  revoke: twinOf(apiKeys.revokeApiKey)
    .input(z.object({ id: Uuid }))
    .output(RevokedApiKey)
    .mutation(async ({ ctx, input }) =>
      accepted(await revokeApiKey(ctx.platform, ctx.caller, input.id)),
    ),

  rotate: twinOf(apiKeys.rotateApiKey)
    .input(RotateApiKeyRequest.extend({ id: Uuid }))
    .output(CreatedApiKey)
    .mutation(async ({ ctx, input }) =>
      accepted(await rotateApiKey(ctx.platform, ctx.caller, input.id, input)),
    ),
})
