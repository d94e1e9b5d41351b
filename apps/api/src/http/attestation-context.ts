import type { Express } from 'express'
import { attestationContext, attestationContextPath } from '../attestation/attestation-context.ts'
import { keySetMaxAgeSeconds } from '../attestation/signing-keys.ts'
import type { Platform } from '../platform.ts'

/** What the `@context` of each attestation leads to; open to programs in browsers, as the keys are. */
export function mountAttestationContext(app: Express, { config }: Pick<Platform, 'config'>): void {
  const context = Buffer.from(JSON.stringify(attestationContext(config.baseUrl)))
  app.get(attestationContextPath, (_req, res) => {
    res.setHeader('Content-Type', 'application/ld+json')
    res.setHeader('Cache-Control', `public, max-age=${keySetMaxAgeSeconds}`)
    res.setHeader('Access-Control-Allow-Origin', '*')
    res.send(context)
  })
}
