import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import type { ApiKeyScope } from '@pdfnorm/contracts/schema/api-key'

export const ApiKeyEntity = defineEntity({
  name: 'ApiKey',
  tableName: 'api_key',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    name: p.text(),
    keyPrefix: p.text(),
    /** SHA-256 of the full key, as hex; the key itself is stored nowhere. */
    keyHash: p.text(),
    scopes: p.array().columnType('text[]').$type<ApiKeyScope[]>(),
    /** The API version at which the key was created: what its requests get without a header. */
    apiVersion: p.text(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3).nullable(),
    revokedAt: p.datetime(3).nullable(),
    lastUsedAt: p.datetime(3).nullable(),
    /** The key in whose place it came. */
    replacesId: p.uuid().nullable(),
  },
})
export type ApiKey = InferEntity<typeof ApiKeyEntity>
