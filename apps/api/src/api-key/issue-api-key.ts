import type { EntityManager } from '@mikro-orm/postgresql'
import type { CreatedApiKey } from '@pdfnorm/contracts/schema/api-key'
import { limits } from '@pdfnorm/contracts/schema/limit'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import { v7 as uuidv7 } from 'uuid'
import { type ApiKey, ApiKeyEntity } from './api-key.ts'
import { newApiKey } from './api-key-form.ts'

/** What is decided about a key before it exists. */
type NewApiKey = Pick<
  ApiKey,
  'organizationId' | 'name' | 'scopes' | 'apiVersion' | 'expiresAt' | 'replacesId' | 'createdAt'
>

/**
 * Makes a key in a transaction that has locked the organization, so that two at once do not pass the limit together.
 * The full key is in the answer, and nowhere else.
 *
 * @param endingId a key that the same transaction ends, so that it does not count any more
 */
export async function issueApiKey(
  em: EntityManager,
  wanted: NewApiKey,
  endingId: string | null,
): Promise<CreatedApiKey | Refusal<'API_KEY_LIMIT_REACHED'>> {
  const working = await em.count(ApiKeyEntity, {
    revokedAt: null,
    $or: [{ expiresAt: null }, { expiresAt: { $gt: wanted.createdAt } }],
    ...(endingId !== null && { id: { $ne: endingId } }),
  })
  if (working >= limits.apiKeysPerOrganization) {
    const detail = `${limits.apiKeysPerOrganization} keys are in use. Revoke one first.`
    return new Refusal('API_KEY_LIMIT_REACHED', detail)
  }

  await forgetEndedKeys(em, wanted.createdAt)

  const { fullKey, keyPrefix, keyHash } = newApiKey()
  const key = em.create(ApiKeyEntity, {
    ...wanted,
    id: uuidv7(),
    keyPrefix,
    keyHash,
    revokedAt: null,
    lastUsedAt: null,
  })
  return {
    id: key.id,
    name: key.name,
    keyPrefix,
    scopes: key.scopes,
    expiresAt: key.expiresAt?.toISOString() ?? null,
    createdAt: key.createdAt.toISOString(),
    fullKey,
  }
}

/** Keeps the list of keys within bounds, however often keys are made and revoked. */
async function forgetEndedKeys(em: EntityManager, now: Date): Promise<void> {
  await em.execute(
    `delete from api_key where id in (
       select id from api_key where revoked_at is not null or expires_at <= ?
       order by created_at desc offset ?)`,
    [now, limits.endedApiKeysKept],
  )
}
