import type { EntityManager } from '@mikro-orm/postgresql'
import { endPrefix } from '../artifact/end-references.ts'
import { releaseArtifacts, releaseOriginals } from '../artifact/release-artifacts.ts'
import { removeExpired } from '../artifact/remove-expired.ts'
import { billOverage } from '../billing/bill-overage.ts'
import { cancelSubscription } from '../billing/cancel-subscription.ts'
import { withOrganization, withoutOrganization } from '../database/transaction.ts'
import { InvitationEntity } from '../member/invitation.ts'
import { MemberEntity } from '../member/member.ts'
import { type Organization, OrganizationEntity } from '../organization/organization.ts'
import type { Platform } from '../platform.ts'
import { lockStarts } from '../submission/submission.ts'
import { AccountDeletionEntity } from './account-deletion.ts'
import { deleteRows } from './delete-rows.ts'

type DeletingPlatform = Pick<
  Platform,
  'orm' | 'objects' | 'clock' | 'queue' | 'mailer' | 'payments' | 'log'
>

/** The job of a deletion; it knows what to look for when the organization's row is gone already. */
export interface AccountDeletionJob {
  readonly organizationId: string
  readonly schemaName: string
  /** Which request it belongs to: another one has a job of its own. */
  readonly requestedAt: string
}

/** How long until the runs that are under way are looked at again. */
const comeAgainSeconds = 5

/**
 * Deletes an organization when its cooling-off period is over: first everybody is shut out, then runs end, then what
 * is outside of the database goes, then the rows, the organization's last. Every step may be done again, so the job
 * goes on wherever it was interrupted.
 *
 * @param signal aborted when the process stops
 * @throws when the payment processor or the storage does not answer; to be tried again
 */
export async function deleteAccount(
  platform: DeletingPlatform,
  job: AccountDeletionJob,
  { signal }: { signal: AbortSignal },
): Promise<void> {
  const begun = await begin(platform, job)
  if (begun === 'not-now') return
  if (begun !== 'gone') {
    if (await waitsForRuns(platform, begun, job)) return
    await settleAccounts(platform, job)
    await releaseContent(platform, job, signal)
    await forgetMails(platform, begun)
    await deleteRows(platform, job.organizationId, signal)
  }
  await forgetTraces(platform, job)
  await removeExpired(platform, signal)
}

/** Shuts everybody out, in the transaction after which nothing calls the deletion off. */
async function begin(
  platform: DeletingPlatform,
  job: AccountDeletionJob,
): Promise<Organization | 'gone' | 'not-now'> {
  const { orm, clock, queue } = platform
  const { organizationId } = job
  return withOrganization(orm, organizationId, async (em) => {
    await em.execute('select from organization where id = ? for no key update', [organizationId])
    const organization = await em.findOne(OrganizationEntity, { id: organizationId })
    if (organization === null) return 'gone'
    const deletion = await em.findOne(AccountDeletionEntity, { organizationId, cancelledAt: null })
    if (deletion?.requestedAt.toISOString() !== job.requestedAt) return 'not-now'
    const now = clock.now()
    const earlyMs = deletion.cancellableUntil.getTime() - now.getTime()
    if (earlyMs > 0) {
      // The queue goes by the clock of the database.
      const startAfterSeconds = Math.ceil(earlyMs / 1000)
      await queue.send(em, 'delete-account', job, organization, { startAfterSeconds })
      return 'not-now'
    }
    if (!deletion.begunAt) deletion.begunAt = now
    organization.isActive = false
    await shutOut(em, organizationId)
    await queue.deleteJobsOf(em, organizationId, 'delete-account')
    return organization
  })
}

async function shutOut(em: EntityManager, organizationId: string): Promise<void> {
  await em.nativeUpdate(MemberEntity, { organizationId }, { isActive: false, passwordHash: null })
  for (const table of ['session', 'one_time_token', 'api_key']) {
    await em.execute(`delete from ${table} where organization_id = ?`, [organizationId])
  }
  // What has not begun never will; what has, ends on its own. One whose row is locked is just beginning, and waits for
  // the lock that is held here.
  await lockStarts(em, organizationId)
  await em.execute(
    `delete from submission where organization_id = ? and id in (
       select id from submission where organization_id = ? and status = 'PENDING'
       for update skip locked)`,
    [organizationId, organizationId],
  )
}

/** Whether documents are being normalized, or just begin to be: then the job comes again when they have ended. */
async function waitsForRuns(
  { orm, clock, queue }: DeletingPlatform,
  organization: Organization,
  job: AccountDeletionJob,
): Promise<boolean> {
  return withOrganization(orm, organization.id, async (em) => {
    const running = await em.execute(
      `select from submission
       where status = 'PENDING' or (status = 'IN_PROGRESS' and lease_expires_at > ?) limit 1`,
      [clock.now()],
    )
    if (running.length === 0) return false
    await queue.send(em, 'delete-account', job, organization, {
      startAfterSeconds: comeAgainSeconds,
    })
    return true
  })
}

/** What was used beyond the plan is charged now, for there will be nobody to charge when its month has ended. */
async function settleAccounts(
  platform: DeletingPlatform,
  { organizationId }: AccountDeletionJob,
): Promise<void> {
  const due = await withOrganization(platform.orm, organizationId, (em) =>
    em.execute<{ cycleStartsAt: Date }[]>(
      `select cycle_starts_at as "cycleStartsAt" from document_usage
       where overage_due and overage_billed_at is null`,
    ),
  )
  for (const { cycleStartsAt } of due) {
    const cycle = new Date(cycleStartsAt).toISOString()
    await billOverage(platform, { organizationId, cycleStartsAt: cycle })
  }
  await cancelSubscription(platform, { id: organizationId })
}

/** What the rows tell of, while they are there: by its object alone the last day of a file looks like a claim. */
async function releaseContent(
  { orm, clock }: DeletingPlatform,
  { organizationId, schemaName }: AccountDeletionJob,
  signal: AbortSignal,
): Promise<void> {
  const now = clock.now()
  await withOrganization(orm, organizationId, (em) =>
    em.execute(
      `update stored_object object set removable_at = ? from data_export e
       where object.key = e.archive_key and object.region = e.region`,
      [now],
    ),
  )
  const steps = [
    (em: EntityManager) => releaseOriginals(em, { id: organizationId, schemaName }, now),
    (em: EntityManager) => releaseArtifacts(em, { organizationId, now }),
  ]
  for (const step of steps) {
    while ((await withOrganization(orm, organizationId, step)) > 0) signal.throwIfAborted()
  }
}

async function forgetMails(
  { orm, mailer }: DeletingPlatform,
  { id, contactEmail }: Organization,
): Promise<void> {
  const people = await withOrganization(orm, id, async (em) => [
    ...(await em.findAll(MemberEntity)),
    ...(await em.findAll(InvitationEntity)),
  ])
  const addresses = people.map(({ email }) => email)
  await mailer.forget(contactEmail ? [...addresses, contactEmail] : addresses)
}

/** What was sent or written while the rows went. */
async function forgetTraces(
  { orm, clock, queue }: DeletingPlatform,
  { organizationId, schemaName }: AccountDeletionJob,
): Promise<void> {
  await withoutOrganization(orm, async (em) => {
    await queue.deleteJobsOf(em, organizationId, 'delete-account')
    await endPrefix(em, schemaName, clock.now())
  })
}
