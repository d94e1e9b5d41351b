import { plans } from '@pdfnorm/contracts/schema/plan'
import type { Customer } from '../customer.ts'
import type { Database } from '../database.ts'
import type { SubmissionRow } from './records.ts'

interface UsageRow {
  organizationId: string
  documents: number
  submissions: number
  success: number
  failed: number
  rejected: number
}

/** What each organization used is what it had normalized, and the ledger of ends is the truth. */
export async function quotaLosses(
  database: Database,
  customers: readonly Customer[],
  rows: ReadonlyMap<string, SubmissionRow>,
): Promise<string[]> {
  const usages = await database.query<UsageRow>(
    `select organization_id as "organizationId", sum(documents)::int as documents,
            sum(submissions)::int as submissions, sum(success)::int as success,
            sum(failed)::int as failed, sum(rejected)::int as rejected
     from document_usage group by organization_id`,
  )
  return customers.flatMap((customer) => {
    const used = usages.find(({ organizationId }) => organizationId === customer.id)
    const truth = usageOf(customer, rows)
    const { monthlyDocuments, overagePerDocumentUsd } = plans[customer.planTier]
    const over = overagePerDocumentUsd === null && truth.documents > monthlyDocuments
    return [
      ...(Object.keys(truth) as (keyof typeof truth)[]).flatMap((name) => {
        const counted = used?.[name] ?? 0
        if (counted === truth[name]) return []
        return [`${customer.name} has ${counted} ${name} on its account; there are ${truth[name]}`]
      }),
      ...(over ? [`${customer.name} used ${truth.documents} documents of its plan`] : []),
    ]
  })
}

function usageOf({ id, usedBefore }: Customer, rows: ReadonlyMap<string, SubmissionRow>) {
  const own = [...rows.values()].filter(({ organizationId }) => organizationId === id)
  const count = (status: SubmissionRow['status']) =>
    own.filter((row) => row.status === status).length
  const success = usedBefore + count('SUCCESS')
  return {
    documents: success,
    submissions: usedBefore + own.length,
    success,
    failed: count('FAILED'),
    rejected: count('REJECTED'),
  }
}
