import type { EntityManager } from '@mikro-orm/postgresql'
import type { Region } from '@pdfnorm/contracts/schema/region'
import { endReferences } from '../artifact/end-references.ts'
import { originalKey } from '../artifact/object-store.ts'
import { removeExpired } from '../artifact/remove-expired.ts'
import { withOrganization } from '../database/transaction.ts'
import { type Organization, OrganizationEntity } from '../organization/organization.ts'
import type { Platform } from '../platform.ts'
import { ErasureEntity } from './erasure.ts'

type ErasingPlatform = Pick<Platform, 'orm' | 'objects' | 'clock' | 'queue' | 'log'>

/** An erasure that has begun. */
interface Erasing {
  readonly organization: Organization
  /** What was accepted until then goes. */
  readonly requestedAt: Date
}

/** Submissions that one transaction erases. */
const atOnce = 100

/** How long until the documents that are in process are looked at again. */
const comeAgainSeconds = 5

/**
 * The job of an erasure: ends every right to read what was accepted before it, deletes the reports, and removes the
 * bytes that no other organization has. The rights stay as rows, so that EXPIRED is told and not whether somebody else
 * has the content. A document in process ends first and is erased then, so that nobody's run fails for it.
 *
 * @param signal aborted when the process stops; what is done stays done, and the job goes on from there
 */
export async function eraseContent(
  platform: ErasingPlatform,
  job: { organizationId: string },
  { signal }: { signal: AbortSignal },
): Promise<void> {
  const erasing = await findErasing(platform, job)
  if (erasing === null) return

  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    signal.throwIfAborted()
    const last = await erasePage(platform, erasing, after)
    if (last === null) break
    after = last
  }
  await endOrComeAgain(platform, erasing)
  await removeExpired(platform, signal)
}

async function findErasing(
  { orm }: ErasingPlatform,
  { organizationId }: { organizationId: string },
): Promise<Erasing | null> {
  return withOrganization(orm, organizationId, async (em) => {
    const erasure = await em.findOne(ErasureEntity, { organizationId, completedAt: null })
    if (erasure === null) return null
    const organization = await em.findOneOrFail(OrganizationEntity, organizationId)
    return { organization, requestedAt: erasure.requestedAt }
  })
}

interface ErasedSubmission {
  readonly id: string
  readonly region: Region
  /** The hash of its output; null if it has none, or one that a later submission has too. */
  readonly sha256: string | null
}

/** @returns the last submission of the page; null when there is none */
async function erasePage(
  { orm, clock }: ErasingPlatform,
  { organization, requestedAt }: Erasing,
  after: string,
): Promise<string | null> {
  const now = clock.now()
  return withOrganization(orm, organization.id, async (em) => {
    // Once its own retention period is over, nothing is left of a submission but what others keep.
    const page = await em.execute<ErasedSubmission[]>(
      `select id, region, case when not exists
                (select from report r join submission later
                   on later.organization_id = r.organization_id and later.id = r.submission_id
                 where r.organization_id = s.organization_id and r.output_sha256 = s.normalized ->> 'sha256'
                   and later.region = s.region and later.created_at > ?)
              then s.normalized ->> 'sha256' end as sha256
       from submission s
       where id > ? and created_at <= ? and original_expires_at > ?
       order by id limit ?`,
      [requestedAt, after, requestedAt, now, atOnce],
    )
    const last = page.at(-1)
    if (last === undefined) return null

    await endReferences(em, {
      organizationId: organization.id,
      originals: page.map(({ id, region }) => ({
        region,
        key: originalKey(organization.schemaName, id),
      })),
      artifacts: page.flatMap(({ sha256, region }) =>
        sha256 === null ? [] : [{ sha256, region }],
      ),
      now,
    })
    await eraseRecords(em, page, now)
    return last.id
  })
}

/** What is left of a submission are its hashes and status: of its signatures their number, not the signers. */
async function eraseRecords(
  em: EntityManager,
  page: readonly ErasedSubmission[],
  now: Date,
): Promise<void> {
  const ids = page.map(({ id }) => id)
  await em.execute('delete from report where submission_id in (?)', [ids])
  await em.execute(
    `update submission set original_expires_at = ?, security =
       case when security ->> 'signatureVerificationResults' is null then security
       else jsonb_set(security::jsonb, '{signatureVerificationResults}', '[]')::json end
     where id in (?)`,
    [now, ids],
  )
}

async function endOrComeAgain(
  { orm, clock, queue }: ErasingPlatform,
  { organization, requestedAt }: Erasing,
): Promise<void> {
  const organizationId = organization.id
  await withOrganization(orm, organizationId, async (em) => {
    const inProcess = await em.execute(
      'select from submission where created_at <= ? and completed_at is null limit 1',
      [requestedAt],
    )
    if (inProcess.length > 0) {
      await queue.send(em, 'erase-content', { organizationId }, organization, {
        startAfterSeconds: comeAgainSeconds,
      })
      return
    }
    // Not one that was asked for since: that has a job of its own.
    await em.nativeUpdate(
      ErasureEntity,
      { organizationId, requestedAt },
      { completedAt: clock.now() },
    )
  })
}
