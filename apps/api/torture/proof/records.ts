import type { SubmissionStatus } from '@pdfnorm/contracts/schema/submission'
import type { Database } from '../database.ts'

/** A submission as the database has it in the end. */
export interface SubmissionRow {
  id: string
  organizationId: string
  status: SubmissionStatus
  asynchronous: boolean
  attempts: number
  webhookUrl: string | null
  batchId: string | null
  originalSha256: string
  outputSha256: string | null
  failureCode: string | null
  failureMessage: string | null
}

export async function readSubmissions(database: Database): Promise<Map<string, SubmissionRow>> {
  const rows = await database.query<SubmissionRow>(
    `select id, organization_id as "organizationId", status, asynchronous, attempts,
            webhook_url as "webhookUrl", batch_id as "batchId",
            original_sha256 as "originalSha256", normalized->>'sha256' as "outputSha256",
            failure->>'code' as "failureCode", failure->>'message' as "failureMessage"
     from submission`,
  )
  return new Map(rows.map((row) => [row.id, row]))
}
