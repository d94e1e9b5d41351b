import type { PortalRpc } from '@pdfnorm/api/rpc/portal-rpc'
import { TRPCClientError } from '@trpc/client'
import { factsOf, ProblemError, serviceFailed, unreachable } from './problem-error.ts'

/** The problem behind whatever was thrown, in words for a person. */
export function problemOf(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error
  if (isRpcError(error)) return problemOfRpc(error)
  return new ProblemError('This page failed. Load it again.', { cause: error })
}

function isRpcError(error: unknown): error is TRPCClientError<PortalRpc> {
  return error instanceof TRPCClientError
}

function problemOfRpc(error: TRPCClientError<PortalRpc>): ProblemError {
  if (error.cause instanceof ProblemError) return error.cause
  const { data } = error
  const response: unknown = error.meta?.['response']
  const facts = response instanceof Response ? factsOf(response.headers) : {}
  if (!data) return new ProblemError(unreachable, { ...facts, cause: error })
  const detail = data.refusal === null ? serviceFailed : error.message
  return new ProblemError(detail, {
    ...facts,
    code: data.refusal,
    faults: data.errors,
    cause: error,
  })
}
