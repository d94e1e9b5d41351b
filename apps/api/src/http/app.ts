import express, { type Express } from 'express'
import { attestationContextPath } from '../attestation/attestation-context.ts'
import { presignedDownloadPath } from '../artifact/presigned-download.ts'
import type { Platform } from '../platform.ts'
import { mountAttestationContext } from './attestation-context.ts'
import { authenticate, authorize } from './authenticate.ts'
import { corsFor } from './cors.ts'
import { faultHandler, methodNotAllowed, nothingHere } from './last-answers.ts'
import { logRequests } from './log-requests.ts'
import { measureRequests } from './measure-requests.ts'
import { mount, validationHandler } from './mount.ts'
import { countByAddress, countByCaller } from './count-requests.ts'
import { mountDocumentation } from './documentation.ts'
import { mountOperations } from './operations.ts'
import { indexPath, mountPortal, portalPages } from './portal.ts'
import { mountPresignedDownloads } from './presigned-downloads.ts'
import { mountProbes } from './probes.ts'
import { readBody } from './read-body.ts'
import { nameRequests, refuseUnanswerable } from './name-requests.ts'
import { groups } from './routes/groups.ts'
import { securityHeaders } from './security-headers.ts'
import { mountTestCheckout } from './test-checkout.ts'
import { traceRequests } from './trace-requests.ts'

/**
 * The service over HTTP: what happens to a request, in order.
 *
 * @param more what else answers on the same port (serve.ts mounts the RPC)
 */
export function createApp(
  platform: Platform,
  more: readonly ((app: Express, platform: Platform) => void)[] = [],
): Express {
  const app = express()
  app.disable('x-powered-by')
  // An ETag of Express would hash every body; the answers that can be cached set their own.
  app.disable('etag')
  app.set('trust proxy', platform.config.trustProxyHops)

  app.use(nameRequests)
  app.use(logRequests(platform))
  app.use(measureRequests(platform))
  app.use(traceRequests)
  app.use(securityHeaders)
  app.use(corsFor(platform.config))
  app.use(refuseUnanswerable(platform))

  mountOperations(app, platform)
  mountPortal(app, platform.config)
  mountAttestationContext(app, platform)
  const documentation = mountDocumentation(app)
  mountTestCheckout(app, platform)
  mountPresignedDownloads(app, platform)
  for (const mountMore of more) mountMore(app, platform)
  mount(app, platform, groups, [
    countByAddress(platform),
    authenticate(platform),
    // Before it is told what they may not do: such requests count like any other.
    countByCaller(platform),
    authorize,
    readBody,
  ])
  methodNotAllowed(app, platform, [
    indexPath,
    attestationContextPath,
    presignedDownloadPath,
    ...documentation,
  ])

  app.use(portalPages(platform.config))
  app.use(nothingHere(platform))
  app.use(validationHandler(platform))
  app.use(faultHandler(platform))
  return app
}

/** What a worker answers: it is asked how it is, and nothing else. */
export function createProbes(platform: Platform): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.use(nameRequests)
  app.use(logRequests(platform))
  app.use(securityHeaders)
  mountProbes(app, platform)
  app.use(nothingHere(platform))
  app.use(faultHandler(platform))
  return app
}
