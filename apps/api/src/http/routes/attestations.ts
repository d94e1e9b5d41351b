import { attestations } from '@pdfnorm/contracts/endpoint/attestations'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { NextFunction, Request, Response } from 'express'
import { findAttestation } from '../../attestation/find-attestation.ts'
import { findKeySet, findPublicKeyPem } from '../../attestation/key-set.ts'
import { keySetMaxAgeSeconds } from '../../attestation/signing-keys.ts'
import { verifyAttestation } from '../../attestation/verify-attestation.ts'
import { routes } from '../mount.ts'
import { refuse } from '../problem-response.ts'
import { apiKeyCallerOf } from '../request-context.ts'

export const attestationRoutes = routes(attestations, (platform) => ({
  getKeySet: async ({ res }) => {
    publish(res)
    return { status: 200, body: await findKeySet(platform) }
  },

  getSigningKeyPem: {
    middleware: [sendWithoutCharset],
    handler: async ({ res }) => {
      publish(res)
      return { status: 200, body: await findPublicKeyPem(platform) }
    },
  },

  getAttestation: {
    middleware: [sendWithoutCharset],
    handler: async ({ req, res, params }) => {
      const found = await findAttestation(platform, apiKeyCallerOf(req), params.normalizedSha256)
      if (found instanceof Refusal) return refuse(platform.config, { req, res }, found)
      return { status: 200, body: found.document }
    },
  },

  verifyAttestation: async ({ req, res, params }) => {
    const result = await verifyAttestation(platform, apiKeyCallerOf(req), params.normalizedSha256)
    if (result instanceof Refusal) return refuse(platform.config, { req, res }, result)
    return { status: 200, body: result }
  },

  getCertificate: {
    middleware: [sendWithoutCharset],
    handler: async ({ req, res, params }) => {
      const found = await findAttestation(platform, apiKeyCallerOf(req), params.normalizedSha256)
      if (found instanceof Refusal) return refuse(platform.config, { req, res }, found)
      return { status: 200, body: found.certificate }
    },
  },
}))

/** Express gives every text a charset; these types have no such parameter (RFC 7515, 9.2.1; JSON-LD 1.1, C). */
function sendWithoutCharset(_req: Request, res: Response, next: NextFunction): void {
  const send = res.send.bind(res)
  res.send = (body: unknown) => send(typeof body === 'string' ? Buffer.from(body) : body)
  next()
}

function publish(res: Response): void {
  res.setHeader('Cache-Control', `public, max-age=${keySetMaxAgeSeconds}`)
}
