import { type ApiVersion } from '@pdfnorm/contracts/schema/api-version'
import type { CreateApiKeyRequest, CreatedApiKey } from '@pdfnorm/contracts/schema/api-key'
import { leastRole } from '@pdfnorm/contracts/schema/member'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { MemberCaller } from '../caller.ts'
import { changeAsMember, type ChangeRefusal } from '../organization/change-as-member.ts'
import type { Platform } from '../platform.ts'
import { issueApiKey } from './issue-api-key.ts'

/** POST /api/portal/api-keys. The full key leaves the service here and never again. */
export async function createApiKey(
  { orm, clock }: Pick<Platform, 'orm' | 'clock'>,
  caller: MemberCaller,
  request: CreateApiKeyRequest,
  apiVersion: ApiVersion,
): Promise<CreatedApiKey | Refusal<'API_KEY_LIMIT_REACHED' | 'VALIDATION_ERROR'> | ChangeRefusal> {
  return changeAsMember(orm, caller, leastRole.changeApiKeys, async (em, { id }) => {
    const now = clock.now()
    const expiresAt = request.expiresAt ? new Date(request.expiresAt) : null
    if (expiresAt !== null && expiresAt <= now) return expiresInThePast()

    const wanted = {
      organizationId: id,
      name: request.name,
      scopes: [...new Set(request.scopes)],
      apiVersion,
      expiresAt,
      replacesId: null,
      createdAt: now,
    }
    return issueApiKey(em, wanted, null)
  })
}

function expiresInThePast(): Refusal<'VALIDATION_ERROR'> {
  const message = 'A key cannot expire in the past'
  return new Refusal('VALIDATION_ERROR', `${message}.`, {
    errors: [{ location: 'body.expiresAt', code: 'too_small', message }],
  })
}
