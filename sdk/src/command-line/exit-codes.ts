import { PdfnormError, VerificationError, WebhookError } from '../index.ts'
import { UsageError } from './usage-error.ts'

/** What a script can tell from the exit code; a promise of the command line. */
export const exitCodes = {
  done: 0,
  unexpected: 1,
  usage: 2,
  notAllowed: 3,
  quotaExceeded: 4,
  rejected: 5,
  failed: 6,
  notValid: 7,
  unreachable: 8,
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

export const exitCodeTexts: Readonly<Record<ExitCode, string>> = {
  0: 'done: every file normalized, or valid',
  1: 'a file could not be read or written, or something unexpected',
  2: 'the command line is wrong',
  3: 'no API key, or one that is refused or may not do this',
  4: 'the month’s documents are used up',
  5: 'a document was rejected by policy',
  6: 'a document could not be normalized',
  7: 'not valid: the certificate, the attestation or the file is not genuine',
  8: 'the service cannot be reached, is too busy or failed; trying later may help',
  130: 'interrupted',
}

/** Of several files the first of these that happened is told. */
const gravestFirst: readonly ExitCode[] = [130, 1, 3, 4, 8, 7, 6, 5, 2, 0]

export function gravest(codes: readonly ExitCode[]): ExitCode {
  return gravestFirst.find((code) => codes.includes(code)) ?? exitCodes.done
}

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof UsageError) return exitCodes.usage
  if (!(error instanceof PdfnormError)) return exitCodes.unexpected
  if (error instanceof VerificationError || error instanceof WebhookError) return exitCodes.notValid
  if (error.status === 401 || error.status === 403) return exitCodes.notAllowed
  if (error.status === 402) return exitCodes.quotaExceeded
  const isTemporary = error.status === null || error.status === 429 || error.status >= 500
  return isTemporary || error.code === 'CONNECTION_FAILED' || error.code === 'TIMED_OUT'
    ? exitCodes.unreachable
    : exitCodes.unexpected
}
