import { isTerminal } from '@pdfnorm/contracts/schema/submission'
import { maxAttempts } from '../../src/submission/submission.ts'
import type { Errand } from '../submitting.ts'
import type { SubmissionRow } from './records.ts'

/** Every document that was taken in has one submission, which ended as it has to; and there is no other submission. */
export function submissionLosses(
  errands: readonly Errand[],
  rows: ReadonlyMap<string, SubmissionRow>,
): string[] {
  const known = new Set(errands.map(({ submissionId }) => submissionId))
  const twice = errands.filter(({ submissionId }) => submissionId !== null).length - known.size
  const unknown = [...rows.keys()].filter((id) => !known.has(id))
  return [
    ...errands.flatMap((errand) => errandLoss(errand, rows)),
    ...unknown.map((id) => `no client knows of the submission ${id}`),
    // null is one of them when a document was refused.
    ...(twice > 1 ? ['documents with different keys share a submission'] : []),
  ]
}

function errandLoss(errand: Errand, rows: ReadonlyMap<string, SubmissionRow>): string[] {
  const { key, customer, submissionId, document } = errand
  const name = `${key} of ${customer.name} (${submissionId ?? 'without a submission'})`
  if (submissionId === null) return errand.refused ? [] : [`${name} never had an answer`]

  const row = rows.get(submissionId)
  if (row === undefined) return [`${name} is not in the database`]
  if (!isTerminal(row.status)) return [`${name} is still ${row.status}`]
  if (row.originalSha256 !== document.sha256) return [`${name} is of another document`]
  if (row.organizationId !== customer.id) return [`${name} is of another organization`]
  if (wasGivenUp(row)) return []
  if (row.status === document.end && row.failureCode === document.code) return []
  return [
    `${name} has to end as ${document.end} ${document.code ?? ''} and ended as ${row.status} ` +
      `${row.failureCode ?? ''} (${row.failureMessage ?? ''}; ${row.attempts} runs)`,
  ]
}

/** Decision 2.2: after the last of its tries was lost with its process, a document is FAILED. */
export function wasGivenUp({ status, failureCode, attempts }: SubmissionRow): boolean {
  return status === 'FAILED' && failureCode === 'INTERNAL_ERROR' && attempts > maxAttempts
}
