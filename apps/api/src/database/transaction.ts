import type { EntityManager, MikroORM } from '@mikro-orm/postgresql'

/** The work that is done inside one transaction; what it returns becomes the transaction's result. */
type Work<Result> = (em: EntityManager) => Promise<Result>

/**
 * Runs `work` in one transaction that sees and writes the rows of one organization only.
 *
 * Row-level security holds this, not the queries: the setting ends with the transaction, so a
 * pooled connection never carries it into another request.
 */
export async function withOrganization<Result>(
  orm: MikroORM,
  organizationId: string,
  work: Work<Result>,
): Promise<Result> {
  return orm.em.fork().transactional(async (em) => {
    await enterOrganization(em, organizationId)
    return work(em)
  })
}

/**
 * Narrow ways to one row while its organization is not known yet. Each is a policy `for select` on
 * one table that compares one column with one setting of the transaction.
 */
export type LookUp =
  | { apiKeyHash: string }
  | { memberEmail: string }
  | { refreshTokenHash: string }
  | { oneTimeTokenHash: string }

/**
 * Runs `work` in one transaction that sees only the row which the look-up names, until the work
 * calls `enterOrganization` with what it found.
 */
export async function withLookUp<Result>(
  orm: MikroORM,
  lookUp: LookUp,
  work: Work<Result>,
): Promise<Result> {
  return orm.em.fork().transactional(async (em) => {
    for (const [setting, value] of settingsOf(lookUp)) {
      await em.execute('select set_config(?, ?, true)', [setting, value])
    }
    return work(em)
  })
}

/** From here on the transaction of `em` sees and writes the rows of this organization only. */
export async function enterOrganization(em: EntityManager, organizationId: string): Promise<void> {
  await em.execute("select set_config('app.organization_id', ?, true)", [organizationId])
}

/** Runs `work` in one transaction that sees only what belongs to no organization. */
export async function withoutOrganization<Result>(
  orm: MikroORM,
  work: Work<Result>,
): Promise<Result> {
  return orm.em.fork().transactional(work)
}

function settingsOf(lookUp: LookUp): [setting: string, value: string][] {
  if ('apiKeyHash' in lookUp) return [['app.api_key_hash', lookUp.apiKeyHash]]
  if ('memberEmail' in lookUp) return [['app.member_email', lookUp.memberEmail]]
  if ('refreshTokenHash' in lookUp) return [['app.refresh_token_hash', lookUp.refreshTokenHash]]
  return [['app.one_time_token_hash', lookUp.oneTimeTokenHash]]
}
