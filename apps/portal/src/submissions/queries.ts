import { isTerminal, type SubmissionStatus } from '@pdfnorm/contracts/schema/submission'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { rpc } from '../session/rpc.ts'

export const submissionsPerPage = 25

/** How often a submission is asked for that has not ended, and a list that holds such, in milliseconds. */
const askAgainMs = 1000
const askAgainForListMs = 2000

export function submissionsQuery({ status, page }: { status?: SubmissionStatus; page: number }) {
  return queryOptions({
    queryKey: ['submissions', { status, page }],
    queryFn: ({ signal }) =>
      rpc.submissions.list.query({ status, page, page_size: submissionsPerPage }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 5000,
    refetchInterval: ({ state }) =>
      state.data?.submissions.some(({ status }) => !isTerminal(status)) ? askAgainForListMs : false,
  })
}

export function submissionQuery(submissionId: string) {
  return queryOptions({
    queryKey: ['submission', submissionId],
    queryFn: ({ signal }) => rpc.submissions.get.query({ submissionId }, { signal }),
    refetchInterval: ({ state }) =>
      state.data !== undefined && !isTerminal(state.data.status) ? askAgainMs : false,
  })
}

export type SubmissionDetails = Awaited<ReturnType<typeof rpc.submissions.get.query>>

/** How often it is asked in which stage a document is, in milliseconds: well below the limit of a member's requests. */
const askForStageMs = 500

/** @param hash SHA-256 of the original */
export function stageQuery(hash: string) {
  return queryOptions({
    queryKey: ['stage', hash],
    queryFn: ({ signal }) => rpc.submissions.stage.query({ hash }, { signal }),
    refetchInterval: askForStageMs,
    gcTime: 0,
    retry: false,
  })
}

export function reportQuery(hash: string) {
  return queryOptions({
    queryKey: ['report', hash],
    queryFn: ({ signal }) => rpc.submissions.report.query({ hash }, { signal }),
    staleTime: 60_000,
  })
}

export function certificateQuery(hash: string) {
  return queryOptions({
    queryKey: ['certificate', hash],
    queryFn: ({ signal }) => rpc.submissions.certificate.query({ hash }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}
