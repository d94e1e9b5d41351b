import { z } from 'zod'
import { IsoDateTime, RequestedDateTime, Uuid } from './identifier.ts'
import { limits } from './limit.ts'
import { storedLine } from './stored-text.ts'

/** The first part of every key; what stands before the underscore. */
export const apiKeyPrefix = 'pdfnorm'

/** 30 random base62 characters, then 6 of their CRC-32, so that a mistyped key can be told (decision 3.4). */
export const apiKeySecretCharacters = 30
export const apiKeyChecksumCharacters = 6

/** How many characters of the secret `keyPrefix` shows. */
export const apiKeyShownCharacters = 8

export const ApiKeySecret = z
  .string()
  .regex(/^pdfnorm_[0-9A-Za-z]{36}$/)
  .meta({
    description: 'The complete key. It is shown once and stored as a hash only.',
    examples: ['pdfnorm_4kZp9QxTexampleexampleexample00vI9BG'],
  })

export const ApiKeyScope = z.enum(['normalize', 'read']).meta({
  id: 'ApiKeyScope',
  description:
    'normalize: submit documents, create batches, read a submission. read: everything that is read.',
})
export type ApiKeyScope = z.infer<typeof ApiKeyScope>

const KeyPrefix = z
  .string()
  .meta({ description: 'The first characters of the key.', examples: ['pdfnorm_4kZp9QxT'] })

export const ApiKeyResponse = z
  .object({
    id: Uuid,
    name: z.string().meta({ examples: ['Production'] }),
    keyPrefix: KeyPrefix,
    scopes: z.array(ApiKeyScope),
    isActive: z.boolean(),
    expiresAt: IsoDateTime.nullable(),
    lastUsedAt: IsoDateTime.nullable().meta({ description: 'At most a minute late.' }),
    createdAt: IsoDateTime,
  })
  .meta({ id: 'ApiKeyResponse', description: 'An API key without its secret.' })
export type ApiKeyResponse = z.infer<typeof ApiKeyResponse>

export const CreateApiKeyRequest = z
  .object({
    name: storedLine(z.string().trim().min(1).max(limits.nameMaxCharacters)),
    scopes: z.array(ApiKeyScope).min(1).max(ApiKeyScope.options.length),
    expiresAt: RequestedDateTime.nullable()
      .optional()
      .meta({ description: 'In the future; null or left out: never.' }),
  })
  .meta({
    id: 'CreateApiKeyRequest',
    description: 'A key to be created.',
    examples: [{ name: 'Production', scopes: ['normalize', 'read'] }],
  })
export type CreateApiKeyRequest = z.infer<typeof CreateApiKeyRequest>

export const CreatedApiKey = z
  .object({
    id: Uuid,
    name: z.string().meta({ examples: ['Production'] }),
    keyPrefix: KeyPrefix,
    scopes: z.array(ApiKeyScope),
    expiresAt: IsoDateTime.nullable(),
    createdAt: IsoDateTime,
    fullKey: ApiKeySecret,
  })
  .meta({ id: 'CreatedApiKey', description: 'A new API key, with its secret.' })
export type CreatedApiKey = z.infer<typeof CreatedApiKey>

export const RevokedApiKey = z
  .object({ id: Uuid, isActive: z.literal(false) })
  .meta({ id: 'RevokedApiKey', description: 'A key that is refused from now on.' })
export type RevokedApiKey = z.infer<typeof RevokedApiKey>

export const RotateApiKeyRequest = z
  .object({
    overlapHours: z
      .int()
      .min(0)
      .max(limits.apiKeyOverlapHoursMax)
      .default(limits.apiKeyOverlapHoursDefault)
      .meta({ description: 'How long the old key goes on working.' }),
  })
  .meta({
    id: 'RotateApiKeyRequest',
    description: 'How a key is replaced.',
    examples: [{ overlapHours: 24 }],
  })
export type RotateApiKeyRequest = z.infer<typeof RotateApiKeyRequest>
