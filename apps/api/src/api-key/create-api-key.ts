import { type ApiVersion } from '@pdfnorm/contracts/schema/api-version'
import type { CreateApiKeyRequest, CreateApiKeyResponse } from '@pdfnorm/contracts/schema/api-key'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { MemberCaller } from '../caller.ts'
import { withOrganization } from '../database/transaction.ts'
import type { Platform } from '../platform.ts'
import { issueApiKey, lockApiKeys } from './issue-api-key.ts'

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

  const organizationId = caller.organization.id
  const { name } = request
  const scopes = [...new Set(request.scopes)]
  return withOrganization(orm, organizationId, async (em) => {
    await lockApiKeys(em, organizationId)
    return issueApiKey(
      em,
      { organizationId, name, scopes, apiVersion, expiresAt, replacesId: null, createdAt: now },
      null,
    )
  })
}

function expiresInThePast(): Refusal<'VALIDATION_ERROR'> {
  const message = 'A key cannot expire in the past'
  return new Refusal('VALIDATION_ERROR', `${message}.`, {
    errors: [{ location: 'body.expiresAt', code: 'too_small', message }],
  })
}
