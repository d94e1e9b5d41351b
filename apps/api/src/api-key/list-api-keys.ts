import type { ApiKeyResponse } from '@pdfnorm/contracts/schema/api-key'
import type { MemberCaller } from '../caller.ts'
import { withOrganization } from '../database/transaction.ts'
import type { Platform } from '../platform.ts'
import { type ApiKey, ApiKeyEntity } from './api-key.ts'

/** GET /api/portal/api-keys: newest first, revoked ones too. */
export async function listApiKeys(
  { orm, clock }: Pick<Platform, 'orm' | 'clock'>,
  caller: MemberCaller,
): Promise<ApiKeyResponse[]> {
  const keys = await withOrganization(orm, caller.organization.id, (em) =>
    em.findAll(ApiKeyEntity, { orderBy: { createdAt: 'desc', id: 'desc' } }),
  )
  const now = clock.now()
  return keys.map((key) => apiKeyResponse(key, now))
}

function apiKeyResponse(key: ApiKey, now: Date): ApiKeyResponse {
  const expired = key.expiresAt ? key.expiresAt <= now : false
  return {
    id: key.id,
    name: key.name,
    keyPrefix: key.keyPrefix,
    scopes: key.scopes,
    isActive: !key.revokedAt && !expired,
    expiresAt: key.expiresAt?.toISOString() ?? null,
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    createdAt: key.createdAt.toISOString(),
  }
}
