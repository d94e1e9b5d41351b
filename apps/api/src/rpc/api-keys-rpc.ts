import { ApiKeyResponse } from '@pdfnorm/contracts/schema/api-key'
import { z } from 'zod'
import { listApiKeys } from '../api-key/list-api-keys.ts'
import { router, signedIn } from './rpc.ts'

/** The twin of the contract's group `apiKeys`. */
export const apiKeysRpc = router({
  list: signedIn
    .output(z.array(ApiKeyResponse))
    .query(({ ctx }) => listApiKeys(ctx.platform, ctx.caller)),
})
