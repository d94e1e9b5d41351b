import { defineEntity, p } from '@mikro-orm/core'
import type { EntityManager } from '@mikro-orm/postgresql'
import { Refusal } from '@pdfnorm/contracts/schema/problem'

/** Which submission an organization's key stands for (decision 2.9). */
export const IdempotencyKeyEntity = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_key',
  properties: {
    organizationId: p.uuid().primary(),
    key: p.text().primary(),
    /** What a repeated request must bring again. */
    fileSha256: p.text(),
    submissionId: p.uuid(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3),
  },
})

/** A request that a key and a file stand for. */
export interface KeyedRequest {
  readonly organizationId: string
  readonly key: string
  readonly fileSha256: string
}

/**
 * The submission that the key stands for already.
 *
 * @returns null when the key is free
 */
export async function findRemembered(
  em: EntityManager,
  { organizationId, key, fileSha256 }: KeyedRequest,
  now: Date,
): Promise<string | null | Refusal<'IDEMPOTENCY_KEY_REUSED'>> {
  const known = await em.findOne(
    IdempotencyKeyEntity,
    { organizationId, key, expiresAt: { $gt: now } },
    { refresh: true },
  )
  if (known === null) return null
  if (known.fileSha256 === fileSha256) return known.submissionId
  return new Refusal(
    'IDEMPOTENCY_KEY_REUSED',
    `The idempotency key stands for the file ${known.fileSha256} until ${known.expiresAt.toISOString()}; ` +
      `this file is ${fileSha256}. Use another key for another file.`,
  )
}

/**
 * Lets the key stand for the submission, in the transaction of `em`. Of requests that come at the same time one wins;
 * the others wait for its end and then find its submission.
 *
 * @returns null when the key was free, else as `findRemembered`
 */
export async function rememberIdempotencyKey(
  em: EntityManager,
  request: KeyedRequest,
  submissionId: string,
  life: { now: Date; ttlMs: number },
): Promise<string | null | Refusal<'IDEMPOTENCY_KEY_REUSED'>> {
  const expiresAt = new Date(life.now.getTime() + life.ttlMs)
  const won = await em.execute<unknown[]>(
    `insert into idempotency_key
       (organization_id, key, file_sha256, submission_id, created_at, expires_at)
     values (?, ?, ?, ?, ?, ?)
     on conflict (organization_id, key) do update
       set file_sha256 = excluded.file_sha256, submission_id = excluded.submission_id,
           created_at = excluded.created_at, expires_at = excluded.expires_at
       where idempotency_key.expires_at <= excluded.created_at
     returning submission_id`,
    [request.organizationId, request.key, request.fileSha256, submissionId, life.now, expiresAt],
  )
  return won.length > 0 ? null : findRemembered(em, request, life.now)
}
