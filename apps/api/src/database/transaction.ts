import { IsolationLevel } from '@mikro-orm/core'
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql'
import { type QueryResult, types } from 'pg'
import { inSpan, type SpanDescription } from '../tracing.ts'

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
  return transaction(orm, async (em) => {
    await enterOrganization(em, organizationId)
    return work(em)
  })
}

/** Reads as inside `withOrganization`, and everything as it is at one moment, however long the work takes. */
export async function snapshotOfOrganization<Result>(
  orm: MikroORM,
  organizationId: string,
  work: Work<Result>,
): Promise<Result> {
  return orm.em.fork().transactional(
    async (em) => {
      await enterOrganization(em, organizationId)
      return work(em)
    },
    { isolationLevel: IsolationLevel.REPEATABLE_READ, readOnly: true },
  )
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
  | { paymentCustomerId: string }
  | { artifactSha256: string }

/**
 * Runs `work` in one transaction that sees only the row which the look-up names, until the work
 * calls `enterOrganization` with what it found.
 */
export async function withLookUp<Result>(
  orm: MikroORM,
  lookUp: LookUp,
  work: Work<Result>,
): Promise<Result> {
  return transaction(orm, async (em) => {
    await permitLookUp(em, lookUp)
    return work(em)
  })
}

/** Lets the transaction of `em` also read the row which the look-up names, whosever it is. */
export async function permitLookUp(em: EntityManager, lookUp: LookUp): Promise<void> {
  for (const { sql, parameters } of lookUpSettings(lookUp)) await em.execute(sql, [...parameters])
}

/** The same as statements; with an empty value they take the permission back. */
export function lookUpSettings(lookUp: LookUp): Statement[] {
  return settingsOf(lookUp).map(([name, value]) => setting(name, value))
}

/** An SQL statement in which each `?` stands for a parameter. */
export interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/** Reads as inside `withOrganization`, where one statement will do: plain rows in one round trip. */
export async function readInOrganization<Row extends object>(
  orm: MikroORM,
  organizationId: string,
  statement: Statement,
): Promise<Row[]> {
  return readInOneMessage(orm, [entering(organizationId)], statement)
}

/** Changes as inside `withOrganization`, where one statement will do: the rows that it returns, in one round trip. */
export async function changeInOrganization<Row extends object>(
  orm: MikroORM,
  organizationId: string,
  statement: Statement,
): Promise<Row[]> {
  return readInOneMessage(orm, [entering(organizationId)], statement)
}

/**
 * Reads as inside `withLookUp` and `enterOrganization`, where one statement will do for each: plain rows in one round
 * trip.
 *
 * @param organizationId selects the id of the organization from the row that the look-up shows
 */
export async function readByLookUp<Row extends object>(
  orm: MikroORM,
  lookUp: LookUp,
  organizationId: Statement,
  statement: Statement,
): Promise<Row[]> {
  const enter = {
    sql: `select set_local('app.organization_id', (${organizationId.sql})::text)`,
    parameters: organizationId.parameters,
  }
  return readInOneMessage(orm, [...lookUpSettings(lookUp), enter], statement)
}

/** Executes one statement as inside `withoutOrganization`: a transaction of its own, in one round trip. */
export async function executeWithoutOrganization<Row extends object>(
  orm: MikroORM,
  statement: Statement,
): Promise<Row[]> {
  return readInOneMessage(orm, [], statement)
}

/**
 * Runs statements whose rows nobody asks for, one after another in one round trip of the transaction of `em`.
 */
export async function executeTogether(
  em: EntityManager,
  statements: readonly Statement[],
): Promise<void> {
  await em.execute(
    statements.map(({ sql }) => sql).join(';\n'),
    statements.flatMap(({ parameters }) => [...parameters]),
  )
}

/** From here on the transaction of `em` sees and writes the rows of this organization only. */
export async function enterOrganization(em: EntityManager, organizationId: string): Promise<void> {
  const { sql, parameters } = entering(organizationId)
  await em.execute(sql, [...parameters])
}

/**
 * Runs `work` in one transaction that sees and deletes what lies before a moment, of all organizations, in the tables
 * that are cleared (`clearedAfter`), and nothing else of any organization.
 */
export async function withExpired<Result>(
  orm: MikroORM,
  before: Date,
  work: Work<Result>,
): Promise<Result> {
  return orm.em.fork().transactional(async (em) => {
    await em.execute("select set_local('app.expired_before', ?)", [before.toISOString()])
    return work(em)
  })
}

/** Runs `work` in one transaction that sees only what belongs to no organization. */
export async function withoutOrganization<Result>(
  orm: MikroORM,
  work: Work<Result>,
): Promise<Result> {
  return transaction(orm, work)
}

function transaction<Result>(orm: MikroORM, work: Work<Result>): Promise<Result> {
  return inSpan(span('transaction'), () => orm.em.fork().transactional(work))
}

function span(name: string): SpanDescription {
  return { name, kind: 'client', attributes: { 'db.system.name': 'postgresql' } }
}

function settingsOf(lookUp: LookUp): [setting: string, value: string][] {
  if ('apiKeyHash' in lookUp) return [['app.api_key_hash', lookUp.apiKeyHash]]
  if ('memberEmail' in lookUp) return [['app.member_email', lookUp.memberEmail]]
  if ('refreshTokenHash' in lookUp) return [['app.refresh_token_hash', lookUp.refreshTokenHash]]
  if ('artifactSha256' in lookUp) return [['app.artifact_sha256', lookUp.artifactSha256]]
  if ('paymentCustomerId' in lookUp) {
    return [['app.payment_customer_id', lookUp.paymentCustomerId]]
  }
  return [['app.one_time_token_hash', lookUp.oneTimeTokenHash]]
}

function entering(organizationId: string): Statement {
  return {
    sql: "select set_local('app.organization_id', (?::uuid)::text)",
    parameters: [organizationId],
  }
}

/**
 * A setting that ends with the transaction. `set_local` gives the command of that name, which Citus hands on to the
 * machines that have the rows, one at a time: of a message with several commands it would hand on the whole.
 */
function setting(name: string, value: string): Statement {
  return { sql: 'select set_local(?, ?)', parameters: [name, value] }
}

/**
 * PostgreSQL runs the statements of one message as one transaction (PostgreSQL documentation, 54.2.2.1): a setting that
 * is local to it holds for the statements that follow, and for none of the connection's next message.
 */
async function readInOneMessage<Row extends object>(
  orm: MikroORM,
  settings: readonly Statement[],
  statement: Statement,
): Promise<Row[]> {
  const platform = orm.em.getPlatform()
  const pool = await orm.em.getDriver().getConnection().getNativeClient()
  const text = [...settings, statement]
    .map(({ sql, parameters }) => platform.formatQuery(sql, parameters))
    .join(';\n')
  // A message without parameters may hold several statements, and has a result for each where there are several.
  const results: unknown = await inSpan(span('read'), () => pool.query({ text, types }))
  const last = [results].flat().at(-1) as QueryResult<Row> | undefined
  if (last === undefined) throw new Error('The message did not give a result for each statement')
  return last.rows
}
