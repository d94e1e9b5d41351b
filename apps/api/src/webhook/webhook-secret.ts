import { randomBytes } from 'node:crypto'
import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import type { EntityManager } from '@mikro-orm/postgresql'
import { limits } from '@pdfnorm/contracts/schema/limit'
import { v7 as uuidv7 } from 'uuid'
import type { Platform } from '../platform.ts'
import { seal, unseal } from '../sealed.ts'

/** A secret that signs what goes to a webhook, or to the addresses of an organization's requests and batches. */
export const WebhookSecretEntity = defineEntity({
  name: 'WebhookSecret',
  tableName: 'webhook_secret',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    /** A webhook, or the organization itself: then it is the default secret (decision 4.4). */
    signerId: p.uuid(),
    sealedSecret: p.blob(),
    createdAt: p.datetime(3),
    /** null: the current one. Until then a former one signs, too. */
    validUntil: p.datetime(3).nullable(),
  },
})
type WebhookSecretRow = InferEntity<typeof WebhookSecretEntity>

/** Whose secrets: `signerId` is a webhook or the organization. */
export interface Signer {
  readonly organizationId: string
  readonly signerId: string
}

type SecretsPlatform = Pick<Platform, 'clock' | 'secretsKey'>

/** Rotated in haste, so many former secrets go on signing; the header has room for no endless number. */
const formerSecretsKept = 4

const overlapMs = limits.webhookSecretOverlapHours * 60 * 60 * 1000

/** Makes the first secret of a signer; the answer is the only time that it leaves in the clear. */
export async function createSecret(
  platform: SecretsPlatform,
  em: EntityManager,
  signer: Signer,
): Promise<string> {
  const { secret, row } = newSecret(platform, signer)
  await em.insert(WebhookSecretEntity, row)
  return secret
}

/**
 * Replaces the current secret. The former one signs as well for a while, and so do those before it: a second rotation
 * takes nothing back of what the first one promised. In a transaction that has locked the organization.
 *
 * @returns the new secret, and until when the former one is valid
 */
export async function rotateSecret(
  platform: SecretsPlatform,
  em: EntityManager,
  signer: Signer,
): Promise<{ secret: string; previousValidUntil: Date }> {
  const now = platform.clock.now()
  const previousValidUntil = new Date(now.getTime() + overlapMs)
  const former = await em.find(
    WebhookSecretEntity,
    { ...signer, validUntil: { $ne: null } },
    { orderBy: { validUntil: 'desc' } },
  )
  const over = former.filter(
    ({ validUntil }, index) => index >= formerSecretsKept - 1 || (validUntil && validUntil <= now),
  )
  await em.nativeDelete(WebhookSecretEntity, { id: { $in: over.map(({ id }) => id) } })
  await em.nativeUpdate(
    WebhookSecretEntity,
    { ...signer, validUntil: null },
    { validUntil: previousValidUntil },
  )
  return { secret: await createSecret(platform, em, signer), previousValidUntil }
}

/** The organization's default secrets that sign now, the newest first; made when they are first needed. */
export async function defaultSecrets(
  platform: SecretsPlatform,
  em: EntityManager,
  organizationId: string,
): Promise<string[]> {
  const signer = { organizationId, signerId: organizationId }
  const known = await signingSecrets(platform, em, signer)
  if (known.length > 0) return known

  // Of two that need it first at once, one makes it.
  await em
    .createQueryBuilder(WebhookSecretEntity)
    .insert(newSecret(platform, signer).row)
    .onConflict()
    .ignore()
    .execute('run')
  return signingSecrets(platform, em, signer)
}

/** @throws when SECRETS_KEY is not the one that it was sealed with */
export function unsealSecret(
  { secretsKey }: Pick<Platform, 'secretsKey'>,
  { id, sealedSecret }: Pick<WebhookSecretRow, 'id' | 'sealedSecret'>,
): string {
  return unseal(sealedSecret, sealingKey({ secretsKey }), id).toString()
}

/** Every secret that signs now, the newest first; none for a signer that has none. */
async function signingSecrets(
  platform: SecretsPlatform,
  em: EntityManager,
  signer: Signer,
): Promise<string[]> {
  const rows = await em.find(
    WebhookSecretEntity,
    { ...signer, $or: [{ validUntil: null }, { validUntil: { $gt: platform.clock.now() } }] },
    // PostgreSQL puts the current one first: its end is null.
    { orderBy: { validUntil: 'desc', createdAt: 'desc' } },
  )
  return rows.map((row) => unsealSecret(platform, row))
}

/** 32 random bytes in the form of Standard Webhooks (decision 4.4). */
function newSecret(
  { clock, secretsKey }: SecretsPlatform,
  { organizationId, signerId }: Signer,
): { secret: string; row: WebhookSecretRow } {
  const id = uuidv7()
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const sealedSecret = seal(Buffer.from(secret), sealingKey({ secretsKey }), id)
  const createdAt = clock.now()
  return {
    secret,
    row: { id, organizationId, signerId, sealedSecret, createdAt, validUntil: null },
  }
}

function sealingKey({ secretsKey }: Pick<Platform, 'secretsKey'>): Buffer {
  return secretsKey.derive('webhook-secret encryption', 32)
}
