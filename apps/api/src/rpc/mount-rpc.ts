import { Refusal } from '@pdfnorm/contracts/schema/problem'
import { createExpressMiddleware } from '@trpc/server/adapters/express'
import type { Express } from 'express'
import type { Platform } from '../platform.ts'
import { authenticateAccessToken } from '../session/authenticate-access-token.ts'
import { portalRpc } from './portal-rpc.ts'
import { headersOf } from './rpc.ts'

/** Mounts the procedures of the internal apps at /rpc. */
export function mountRpc(app: Express, platform: Platform): void {
  app.use(
    '/rpc',
    createExpressMiddleware({
      router: portalRpc,
      maxBodySize: 1024 * 1024,
      createContext: async ({ req }) => {
        const token = /^bearer +(\S+)$/i.exec(req.headers.authorization ?? '')?.[1]
        const caller =
          token === undefined
            ? new Refusal('MISSING_CREDENTIALS', 'Send an access token.')
            : await authenticateAccessToken(platform, token)
        return { platform, caller, rates: [] }
      },
      responseMeta: ({ ctx, errors }) => ({ headers: headersOf(ctx?.rates ?? [], errors) }),
      onError: ({ error, path }) => {
        if (error.code !== 'INTERNAL_SERVER_ERROR') return
        platform.log.error({ err: error, path }, 'a procedure failed')
      },
    }),
  )
}
