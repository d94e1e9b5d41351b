import type { EndpointAccess } from '../src/endpoint/endpoint-metadata.ts'

/**
 * The endpoints of the interface, section 4, copied from its tables on purpose: what is written here must be
 * promised, whatever the contract's own files say. Access classes are those of section 5, scopes and roles those
 * of decisions 3.1 and 3.3; the statuses are the ones that the tables name.
 */
export const interfaceTable: readonly {
  readonly endpoint: string
  readonly access: EndpointAccess['auth']
  readonly needs?: string
  readonly statuses: readonly number[]
}[] = [
  { endpoint: 'POST /api/auth/register', access: 'none', statuses: [200, 400] },
  { endpoint: 'POST /api/auth/login', access: 'none', statuses: [200, 401] },
  { endpoint: 'POST /api/auth/refresh', access: 'none', statuses: [200, 401] },
  { endpoint: 'POST /api/auth/logout', access: 'bearer', needs: 'member', statuses: [200] },
  { endpoint: 'POST /api/auth/forgot-password', access: 'none', statuses: [200] },
  { endpoint: 'POST /api/auth/reset-password', access: 'none', statuses: [200, 400] },
  {
    endpoint: 'POST /api/normalize',
    access: 'api-key',
    needs: 'normalize',
    statuses: [200, 202, 400, 401, 402],
  },
  {
    endpoint: 'GET /api/submissions/:submissionId',
    access: 'api-key',
    needs: 'normalize or read',
    statuses: [200, 401, 404],
  },
  {
    endpoint: 'GET /api/reports/:hash',
    access: 'api-key',
    needs: 'read',
    statuses: [200, 401, 403, 404],
  },
  {
    endpoint: 'GET /api/artifacts/:hash',
    access: 'api-key',
    needs: 'read',
    statuses: [200, 401, 403, 404],
  },
  { endpoint: 'POST /api/batches', access: 'api-key', needs: 'normalize', statuses: [201] },
  { endpoint: 'GET /api/batches', access: 'api-key', needs: 'read', statuses: [200] },
  { endpoint: 'GET /api/batches/:batchId', access: 'api-key', needs: 'read', statuses: [200, 404] },
  {
    endpoint: 'GET /api/batches/:batchId/submissions',
    access: 'api-key',
    needs: 'read',
    statuses: [200, 404],
  },
  { endpoint: 'GET /.well-known/attestation-keys.json', access: 'none', statuses: [200] },
  { endpoint: 'GET /.well-known/pdfnorm-signing-key.pem', access: 'none', statuses: [200] },
  {
    endpoint: 'GET /api/attestations/:normalizedSha256',
    access: 'api-key',
    needs: 'read',
    statuses: [200, 400, 401, 404],
  },
  {
    endpoint: 'GET /api/verify/:normalizedSha256',
    access: 'api-key',
    needs: 'read',
    statuses: [200, 400, 401, 404],
  },
  {
    endpoint: 'GET /api/certificates/:normalizedSha256',
    access: 'api-key',
    needs: 'read',
    statuses: [200, 401, 404],
  },
  { endpoint: 'GET /api/portal/organization', access: 'bearer', needs: 'member', statuses: [200] },
  { endpoint: 'PUT /api/portal/organization', access: 'bearer', needs: 'admin', statuses: [200] },
  {
    endpoint: 'PUT /api/portal/organization/settings',
    access: 'bearer',
    needs: 'admin',
    statuses: [200],
  },
  {
    endpoint: 'POST /api/portal/organization/deactivate',
    access: 'bearer',
    needs: 'owner',
    statuses: [200, 401],
  },
  { endpoint: 'GET /api/portal/api-keys', access: 'bearer', needs: 'member', statuses: [200] },
  { endpoint: 'POST /api/portal/api-keys', access: 'bearer', needs: 'admin', statuses: [200] },
  {
    endpoint: 'DELETE /api/portal/api-keys/:id',
    access: 'bearer',
    needs: 'admin',
    statuses: [200, 404],
  },
  { endpoint: 'GET /api/billing/info', access: 'bearer', needs: 'member', statuses: [200] },
  {
    endpoint: 'POST /api/billing/checkout-session',
    access: 'bearer',
    needs: 'owner',
    statuses: [200],
  },
  { endpoint: 'GET /api/portal/webhooks', access: 'bearer', needs: 'member', statuses: [200] },
  { endpoint: 'POST /api/portal/webhooks', access: 'bearer', needs: 'admin', statuses: [201] },
  { endpoint: 'PUT /api/portal/webhooks/:id', access: 'bearer', needs: 'admin', statuses: [200] },
  {
    endpoint: 'DELETE /api/portal/webhooks/:id',
    access: 'bearer',
    needs: 'admin',
    statuses: [200],
  },
  { endpoint: 'GET /api/portal/webhooks/dead', access: 'bearer', needs: 'admin', statuses: [200] },
  {
    endpoint: 'POST /api/portal/webhooks/:eventId/replay',
    access: 'bearer',
    needs: 'admin',
    statuses: [200],
  },
  { endpoint: 'POST /api/portal/data-export', access: 'bearer', needs: 'admin', statuses: [202] },
  {
    endpoint: 'GET /api/portal/data-export/:id/status',
    access: 'bearer',
    needs: 'admin',
    statuses: [200],
  },
  {
    endpoint: 'GET /api/portal/data-export/:id/download',
    access: 'bearer',
    needs: 'admin',
    statuses: [302, 400, 404],
  },
  { endpoint: 'POST /api/portal/erasure', access: 'bearer', needs: 'owner', statuses: [200] },
  { endpoint: 'DELETE /api/portal/data', access: 'bearer', needs: 'owner', statuses: [202] },
  {
    endpoint: 'GET /api/portal/data-deletion/status',
    access: 'bearer',
    needs: 'owner',
    statuses: [200],
  },
  {
    endpoint: 'DELETE /api/portal/data-deletion/cancel',
    access: 'bearer',
    needs: 'owner',
    statuses: [200, 400, 404],
  },
  { endpoint: 'GET /api/portal/team', access: 'bearer', needs: 'member', statuses: [200] },
  {
    endpoint: 'POST /api/portal/team/invite',
    access: 'bearer',
    needs: 'admin',
    statuses: [200, 400, 409],
  },
  {
    endpoint: 'DELETE /api/portal/team/:userId',
    access: 'bearer',
    needs: 'admin',
    statuses: [200, 400, 404],
  },
  {
    endpoint: 'PUT /api/portal/team/:userId/role',
    access: 'bearer',
    needs: 'admin',
    statuses: [200, 400, 404],
  },
  { endpoint: 'GET /api/portal/stats', access: 'bearer', needs: 'member', statuses: [200] },
]

/** What the decisions add (3.7, 6.4, section 7). */
export const additiveEndpoints: readonly string[] = [
  'POST /api/auth/resend-verification',
  'POST /api/auth/verify-email',
  'POST /api/auth/accept-invite',
  'POST /api/portal/api-keys/:id/rotate',
  'POST /api/portal/webhooks/:id/test',
  'POST /api/portal/webhooks/:id/rotate-secret',
  'GET /api/portal/webhooks/:id/deliveries',
  'GET /api/portal/webhooks/default-secret',
  'POST /api/portal/webhooks/default-secret/rotate',
  'GET /api/events',
  'POST /api/portal/submissions',
  'GET /api/portal/artifacts/:hash',
  'POST /api/billing/portal-session',
  'POST /api/billing/webhook',
  'GET /healthz',
  'GET /readyz',
  'GET /metrics',
  'GET /api/openapi.json',
  'GET /docs',
]
