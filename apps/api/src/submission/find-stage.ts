import type { CallingOrganization } from '../caller.ts'
import { readInOrganization } from '../database/transaction.ts'
import type { Platform } from '../platform.ts'

/**
 * The index of the stage in which a worker of this process has the organization's document with this original; null
 * when none has it. A process without workers knows of none.
 *
 * @param originalSha256 64 lower-case hexadecimal digits
 */
export async function findStage(
  { orm, normalizer }: Pick<Platform, 'orm' | 'normalizer'>,
  { id: organizationId }: Pick<CallingOrganization, 'id'>,
  originalSha256: string,
): Promise<number | null> {
  const stage = normalizer.stageOf(originalSha256)
  if (stage === null) return null
  // Another organization's document of the same content is none of its business.
  const own = await readInOrganization(orm, organizationId, {
    sql: `select 1 from submission
          where organization_id = ? and status = 'IN_PROGRESS' and original_sha256 = ? limit 1`,
    parameters: [organizationId, originalSha256],
  })
  return own.length === 0 ? null : stage
}
