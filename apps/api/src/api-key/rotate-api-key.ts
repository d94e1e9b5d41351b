import type { CreatedApiKey, RotateApiKeyRequest } from '@pdfnorm/contracts/schema/api-key'
import { leastRole } from '@pdfnorm/contracts/schema/member'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { MemberCaller } from '../caller.ts'
import { changeAsMember, type ChangeRefusal } from '../organization/change-as-member.ts'
import type { Platform } from '../platform.ts'
import { ApiKeyEntity } from './api-key.ts'
import { issueApiKey } from './issue-api-key.ts'

const hourMs = 60 * 60 * 1000

/**
 * POST /api/portal/api-keys/{id}/rotate: a key that is like the old one, down to its expiry and its API version. The
 * old one goes on working for the overlap, and never longer than it would have.
 *
 * A key is replaced once. Who rotates it again, say by a second click, is told to rotate its successor: the old key
 * would hand on the end that the first rotation gave it.
 */
export async function rotateApiKey(
  { orm, clock }: Pick<Platform, 'orm' | 'clock'>,
  caller: MemberCaller,
  id: string,
  { overlapHours }: RotateApiKeyRequest,
): Promise<CreatedApiKey | Refusal<'NOT_FOUND' | 'API_KEY_LIMIT_REACHED'> | ChangeRefusal> {
  return changeAsMember(orm, caller, leastRole.changeApiKeys, async (em, organization) => {
    const now = clock.now()
    const old = await em.findOne(ApiKeyEntity, { id })
    if (old === null) return new Refusal('NOT_FOUND', 'The organization has no such key.')
    const successor = await em.findOne(ApiKeyEntity, { replacesId: id })
    if (successor !== null) {
      return new Refusal('NOT_FOUND', `The key was replaced by ${successor.id}: rotate that one.`)
    }
    if (old.revokedAt || (old.expiresAt && old.expiresAt <= now)) {
      return new Refusal('NOT_FOUND', 'The key does not work any more. Create a new one.')
    }

    const { name, scopes, apiVersion, expiresAt } = old
    const issued = await issueApiKey(
      em,
      {
        organizationId: organization.id,
        name,
        scopes,
        apiVersion,
        expiresAt,
        replacesId: id,
        createdAt: now,
      },
      overlapHours === 0 ? id : null,
    )
    if (issued instanceof Refusal) return issued

    const endsAt = new Date(now.getTime() + overlapHours * hourMs)
    if (overlapHours === 0) old.revokedAt = now
    else if (!expiresAt || endsAt < expiresAt) old.expiresAt = endsAt
    return issued
  })
}
