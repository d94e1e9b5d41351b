import {
  type ApiVersion,
  apiVersions,
  currentApiVersion,
} from '@pdfnorm/contracts/schema/api-version'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { ApiKeyCaller } from '../caller.ts'
import { readByLookUp } from '../database/transaction.ts'
import { callingOrganization } from '../organization/organization.ts'
import type { Platform } from '../platform.ts'
import type { ApiKey } from './api-key.ts'
import { hashApiKey, isWellFormed } from './api-key-form.ts'

/** The program behind an API key, and the API version its requests get without a header. */
export async function authenticateApiKey(
  { orm, clock, apiKeyUse }: Pick<Platform, 'orm' | 'clock' | 'apiKeyUse'>,
  key: string,
): Promise<{ caller: ApiKeyCaller; apiVersion: ApiVersion } | Refusal<'INVALID_API_KEY'>> {
  if (!isWellFormed(key)) return refused('The key is mistyped: it does not have the form of one.')

  const known = await findKey(orm, hashApiKey(key))
  if (known === null) return refused('The key is not known.')
  const { apiKeyId, scopes, apiVersion, revokedAt, expiresAt, ...organization } = known
  if (revokedAt) return refused('The key was revoked.')
  if (expiresAt && expiresAt <= clock.now()) return refused('The key has expired.')
  if (!organization.isActive) return refused('The organization is deactivated.')

  apiKeyUse.record({ id: apiKeyId, organizationId: organization.id })
  return {
    caller: {
      kind: 'api-key',
      organization: callingOrganization(organization),
      apiKeyId,
      scopes,
    },
    apiVersion: apiVersions.find((version) => version === apiVersion) ?? currentApiVersion,
  }
}

type KnownKey = { apiKeyId: ApiKey['id'] } & Pick<
  ApiKey,
  'scopes' | 'apiVersion' | 'revokedAt' | 'expiresAt'
> &
  CallersOrganization

type CallersOrganization = Parameters<typeof callingOrganization>[0]

/** Asked anew with every request: a revoked key is refused at once by every process. */
async function findKey(orm: Platform['orm'], apiKeyHash: string): Promise<KnownKey | null> {
  const [known] = await readByLookUp<KnownKey>(
    orm,
    { apiKeyHash },
    { sql: 'select organization_id from api_key where key_hash = ?', parameters: [apiKeyHash] },
    {
      sql: `select k.id as "apiKeyId", k.scopes, k.api_version as "apiVersion", k.revoked_at as "revokedAt",
                   k.expires_at as "expiresAt",
                   o.id, o.schema_name as "schemaName", o.plan_tier as "planTier", o.is_active as "isActive",
                   o.created_at as "createdAt", o.quota_counts_from as "quotaCountsFrom",
                   o.default_region as "defaultRegion",
                   o.allowed_regions as "allowedRegions"
            from api_key k join organization o on o.id = k.organization_id where k.key_hash = ?`,
      parameters: [apiKeyHash],
    },
  )
  return known ?? null
}

function refused(detail: string): Refusal<'INVALID_API_KEY'> {
  return new Refusal('INVALID_API_KEY', detail)
}
