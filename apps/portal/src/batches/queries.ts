import type { Batch, BatchStatus } from '@pdfnorm/contracts/schema/batch'
import { isTerminal } from '@pdfnorm/contracts/schema/submission'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { rpc } from '../session/rpc.ts'

export const batchesPerPage = 20
export const documentsPerPage = 25

/** How often is asked for what has not ended, in milliseconds. */
const askAgainMs = 2000

export function batchesQuery({ status, page }: { status?: BatchStatus; page: number }) {
  return queryOptions({
    queryKey: ['batches', { status, page }],
    queryFn: ({ signal }) =>
      rpc.batches.list.query({ status, page, page_size: batchesPerPage }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 5000,
    refetchInterval: ({ state }) => (state.data?.batches.some(isRunning) ? askAgainMs : false),
  })
}

export function batchQuery(batchId: string) {
  return queryOptions({
    queryKey: ['batch', batchId],
    queryFn: ({ signal }) => rpc.batches.get.query({ batchId }, { signal }),
    staleTime: 1000,
    refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? askAgainMs : false),
  })
}

/** @param batch as far as it is known: while it runs, documents may come to it */
export function documentsQuery(batchId: string, page: number, batch?: Batch) {
  return queryOptions({
    queryKey: ['batch', batchId, 'documents', page],
    queryFn: ({ signal }) =>
      rpc.batches.submissions.query({ batchId, page, page_size: documentsPerPage }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 1000,
    refetchInterval: ({ state }) => {
      const isWaiting = state.data?.submissions.some(({ status }) => !isTerminal(status)) ?? false
      return isWaiting || (batch !== undefined && isRunning(batch)) ? askAgainMs : false
    },
  })
}

function isRunning({ status }: Batch): boolean {
  return status === 'in_progress'
}
