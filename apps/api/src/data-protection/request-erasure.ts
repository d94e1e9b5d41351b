import type { EntityManager } from '@mikro-orm/postgresql'
import type { ErasureResult } from '@pdfnorm/contracts/schema/data-export'
import { leastRole } from '@pdfnorm/contracts/schema/member'
import type { Refusal } from '@pdfnorm/contracts/schema/problem'
import { keepObject } from '../artifact/stored-object.ts'
import type { MemberCaller } from '../caller.ts'
import { executeTogether } from '../database/transaction.ts'
import { actAsMember } from '../organization/change-as-member.ts'
import type { Platform } from '../platform.ts'
import { DataExportEntity } from './data-export.ts'
import { ErasureEntity } from './erasure.ts'

/** POST /api/portal/erasure: of all that came until now. Asked for again, it also takes what came since. */
export async function requestErasure(
  { orm, clock, queue }: Pick<Platform, 'orm' | 'clock' | 'queue'>,
  caller: MemberCaller,
): Promise<ErasureResult | Refusal<'INSUFFICIENT_ROLE' | 'INVALID_ACCESS_TOKEN'>> {
  return actAsMember(orm, caller, leastRole.eraseContent, async (em, organization) => {
    const requestedAt = clock.now()
    const organizationId = organization.id
    await em.upsert(ErasureEntity, { organizationId, requestedAt, completedAt: null })
    await voidExports(em, requestedAt)
    await queue.send(em, 'erase-content', { organizationId }, organization)
    return {
      status: 'scheduled',
      message:
        'Originals, outputs, reports and exports are being erased; records keep their hashes and status. ' +
        'Documents in process are erased when they have ended.',
    }
  })
}

/** An archive holds what is to be erased: those that are done go, one that is being built is built anew. */
async function voidExports(em: EntityManager, now: Date): Promise<void> {
  // In this order: what is completed in between is found by the second.
  await em.execute(`update data_export set build = build + 1 where status = 'pending'`)
  const completed = await em.find(
    DataExportEntity,
    { status: 'completed', expiresAt: { $gt: now } },
    { refresh: true },
  )
  for (const done of completed) {
    done.expiresAt = now
    if (!done.archiveKey) continue
    await executeTogether(em, [keepObject({ region: done.region, key: done.archiveKey }, now)])
  }
}
