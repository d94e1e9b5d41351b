import { Batch } from '@pdfnorm/contracts/schema/batch'
import type { LoadReport } from '../load.ts'
import type { Receiver } from '../receiver.ts'
import type { SubmissionRow } from './records.ts'

/** Every batch counts its submissions as they are, and the last that was told of it is how it ended. */
export async function batchLosses(
  url: string,
  receiver: Receiver,
  { batches }: LoadReport,
  rows: ReadonlyMap<string, SubmissionRow>,
): Promise<string[]> {
  const losses: string[] = []
  for (const { batchId, customer, webhookPath } of batches) {
    const answer = await fetch(`${url}/api/batches/${batchId}`, {
      headers: { 'X-Api-Key': customer.apiKey },
    })
    const batch = Batch.safeParse(await answer.json()).data
    if (batch === undefined) {
      losses.push(`the batch ${batchId} is answered with ${answer.status}`)
      continue
    }
    const truth = countersOf(batchId, rows)
    for (const name of ['total', 'completed', 'failed', 'rejected', 'status'] as const) {
      if (batch[name] === truth[name]) continue
      losses.push(`the batch ${batchId} says ${name} ${batch[name]}; it is ${truth[name]}`)
    }
    if (webhookPath === null || truth.total === 0) continue
    const told = [...receiver.events.values()].filter(({ path }) => path === webhookPath)
    const isTold = told.some(
      ({ body }) => body.event === 'batch.complete' && body.data.total === truth.total,
    )
    if (!isTold) losses.push(`nobody was told that the batch ${batchId} is complete`)
  }
  return losses
}

function countersOf(batchId: string, rows: ReadonlyMap<string, SubmissionRow>) {
  const own = [...rows.values()].filter((row) => row.batchId === batchId)
  const count = (status: SubmissionRow['status']) =>
    own.filter((row) => row.status === status).length
  return {
    total: own.length,
    completed: count('SUCCESS'),
    failed: count('FAILED'),
    rejected: count('REJECTED'),
    status: own.length === 0 ? 'open' : 'complete',
  }
}
