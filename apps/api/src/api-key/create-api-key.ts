import { LockMode } from '@mikro-orm/core'
import { type ApiVersion } from '@pdfnorm/contracts/schema/api-version'
import type { CreateApiKeyRequest, CreateApiKeyResponse } from '@pdfnorm/contracts/schema/api-key'
import { limits } from '@pdfnorm/contracts/schema/limit'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import { v7 as uuidv7 } from 'uuid'
import type { MemberCaller } from '../caller.ts'
import { withOrganization } from '../database/transaction.ts'
import { OrganizationEntity } from '../organization/organization.ts'
import type { Platform } from '../platform.ts'
import { ApiKeyEntity } from './api-key.ts'
import { newApiKey } from './api-key-form.ts'

/** POST /api/portal/api-keys. The full key leaves the service here and never again. */
export async function createApiKey(
  { orm, clock }: Pick<Platform, 'orm' | 'clock'>,
  caller: MemberCaller,
  request: CreateApiKeyRequest,
  apiVersion: ApiVersion,
): Promise<CreateApiKeyResponse | Refusal<'API_KEY_LIMIT_REACHED' | 'VALIDATION_ERROR'>> {
  const now = clock.now()
  const expiresAt = request.expiresAt ? new Date(request.expiresAt) : null
  if (expiresAt !== null && expiresAt <= now) return expiresInThePast()

  return withOrganization(orm, caller.organization.id, async (em) => {
    // Locked, so that two requests at once do not pass the limit together.
    await em.findOneOrFail(OrganizationEntity, caller.organization.id, {
      lockMode: LockMode.PESSIMISTIC_WRITE,
    })
    const active = await em.count(ApiKeyEntity, {
      revokedAt: null,
      $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }],
    })
    if (active >= limits.apiKeysPerOrganization) {
      const detail = `${limits.apiKeysPerOrganization} keys are in use. Revoke one first.`
      return new Refusal('API_KEY_LIMIT_REACHED', detail)
    }

    const { fullKey, keyPrefix, keyHash } = newApiKey()
    const key = em.create(ApiKeyEntity, {
      id: uuidv7(),
      organizationId: caller.organization.id,
      name: request.name,
      keyPrefix,
      keyHash,
      scopes: [...new Set(request.scopes)],
      apiVersion,
      createdAt: now,
      expiresAt,
      revokedAt: null,
      lastUsedAt: null,
    })
    return {
      id: key.id,
      name: key.name,
      keyPrefix,
      scopes: key.scopes,
      expiresAt: expiresAt?.toISOString() ?? null,
      createdAt: now.toISOString(),
      fullKey,
    }
  })
}

function expiresInThePast(): Refusal<'VALIDATION_ERROR'> {
  const message = 'A key cannot expire in the past'
  return new Refusal('VALIDATION_ERROR', `${message}.`, {
    errors: [{ location: 'body.expiresAt', code: 'too_small', message }],
  })
}
