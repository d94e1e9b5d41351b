import {
  type ApiVersion,
  apiVersions,
  currentApiVersion,
} from '@pdfnorm/contracts/schema/api-version'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { ApiKeyCaller } from '../caller.ts'
import { enterOrganization, withLookUp } from '../database/transaction.ts'
import { callingOrganization, OrganizationEntity } from '../organization/organization.ts'
import type { Platform } from '../platform.ts'
import { ApiKeyEntity } from './api-key.ts'
import { hashApiKey, isWellFormed } from './api-key-form.ts'

/** The program behind an API key, and the API version its requests get without a header. */
export async function authenticateApiKey(
  { orm, clock, apiKeyUse }: Pick<Platform, 'orm' | 'clock' | 'apiKeyUse'>,
  key: string,
): Promise<{ caller: ApiKeyCaller; apiVersion: ApiVersion } | Refusal<'INVALID_API_KEY'>> {
  if (!isWellFormed(key)) return refused('The key is mistyped: it does not have the form of one.')

  const apiKeyHash = hashApiKey(key)
  return withLookUp(orm, { apiKeyHash }, async (em) => {
    const known = await em.findOne(ApiKeyEntity, { keyHash: apiKeyHash })
    if (known === null) return refused('The key is not known.')
    if (known.revokedAt) return refused('The key was revoked.')
    if (known.expiresAt && known.expiresAt <= clock.now()) return refused('The key has expired.')

    await enterOrganization(em, known.organizationId)
    const organization = await em.findOneOrFail(OrganizationEntity, known.organizationId)
    if (!organization.isActive) return refused('The organization is deactivated.')

    apiKeyUse.record(known)
    return {
      caller: {
        kind: 'api-key',
        organization: callingOrganization(organization),
        apiKeyId: known.id,
        scopes: known.scopes,
      },
      apiVersion: apiVersions.find((version) => version === known.apiVersion) ?? currentApiVersion,
    }
  })
}

function refused(detail: string): Refusal<'INVALID_API_KEY'> {
  return new Refusal('INVALID_API_KEY', detail)
}
