import { outputHash } from '@pdfnorm/contracts/schema/identifier'
import { Refusal } from '@pdfnorm/contracts/schema/problem'
import type { Submission as SubmissionRecord } from '@pdfnorm/contracts/schema/submission'
import type { Caller } from '../caller.ts'
import { readInOrganization } from '../database/transaction.ts'
import type { Platform } from '../platform.ts'
import { downloadUrl } from './normalize-response.ts'
import type { Submission } from './submission.ts'

type RecordedSubmission = Pick<
  Submission,
  | 'id'
  | 'apiVersion'
  | 'status'
  | 'createdAt'
  | 'completedAt'
  | 'processingTimeMs'
  | 'normalized'
  | 'warnings'
  | 'failure'
>

/** The organization's submission; another organization's is as unknown as none (decision 1.10). */
export async function findSubmission(
  { orm }: Pick<Platform, 'orm'>,
  { organization }: Caller,
  submissionId: string,
): Promise<RecordedSubmission | Refusal<'NOT_FOUND'>> {
  const [found] = await readInOrganization<RecordedSubmission>(orm, organization.id, {
    sql: `select id, api_version as "apiVersion", status, created_at as "createdAt", completed_at as "completedAt",
                 processing_time_ms as "processingTimeMs", normalized, warnings, failure
          from submission where organization_id = ? and id = ?`,
    parameters: [organization.id, submissionId],
  })
  return found ?? new Refusal('NOT_FOUND', `There is no submission ${submissionId}`)
}

/**
 * The record of a submission (interface, section 2.2).
 *
 * @param baseUrl the service's own address, without a slash at its end
 */
export function submissionRecord(
  submission: RecordedSubmission,
  baseUrl: string,
): SubmissionRecord {
  const normalized = submission.normalized ?? null
  return {
    apiVersion: submission.apiVersion,
    submissionId: submission.id,
    status: submission.status,
    createdAt: submission.createdAt.toISOString(),
    // Decision 2.11: what only a success has is null until then.
    completedAt: normalized === null ? null : (submission.completedAt?.toISOString() ?? null),
    processingTimeMs: submission.processingTimeMs,
    outputHash: normalized === null ? null : outputHash(normalized.sha256),
    outputSizeBytes: normalized?.sizeBytes ?? null,
    downloadUrl: normalized === null ? null : downloadUrl(baseUrl, normalized.sha256),
    warnings: [...submission.warnings],
    ...(submission.failure ? { failure: submission.failure } : {}),
  }
}
