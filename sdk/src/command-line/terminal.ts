import { PdfnormError } from '../index.ts'
import { adviceForError } from './advice.ts'
import { exitCodeOf, exitCodes, exitCodeTexts } from './exit-codes.ts'

/** Where a command reads and writes. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
  /** Results. */
  print(text: string): void
  /** Everything else. */
  tell(text: string): void
  /** The one line that is written over; nothing when nobody looks at a screen. */
  showProgress(text: string | null): void
}

const clearLine = '\r\u001b[2K'

export function processTerminal(signal: AbortSignal): Terminal {
  const { stdout, stderr, env } = process
  let shown: string | null = null
  const clear = () => {
    if (shown !== null) stderr.write(clearLine)
    shown = null
  }
  return {
    environment: env,
    signal,
    print(text) {
      clear()
      stdout.write(`${text}\n`)
    },
    tell(text) {
      clear()
      stderr.write(`${text}\n`)
    },
    showProgress(text) {
      if (text === shown) return
      clear()
      if (text === null || !stderr.isTTY) return
      // A line that wraps cannot be written over.
      stderr.write(withoutControls(text).slice(0, (stderr.columns || 80) - 1))
      shown = text
    },
  }
}

/** File names and answers do not steer the terminal. */
export function withoutControls(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) => (character === '\n' ? '\n' : '\ufffd'))
}

/** An error as people read it: what happened, what to do, and what to quote. */
export function errorText(error: unknown, about: string | null): string {
  const before = about === null ? '' : `${about}: `
  if (exitCodeOf(error) === exitCodes.interrupted) return `${before}${exitCodeTexts[130]}`
  if (!(error instanceof PdfnormError)) {
    return withoutControls(before + (error instanceof Error ? error.message : String(error)))
  }
  const untold = (error.problem?.errors ?? []).filter(
    ({ message }) => !error.message.includes(message),
  )
  const facts = [
    adviceForError(error.code),
    error.retryAfter === null ? null : `Worth trying in ${error.retryAfter} s.`,
    error.requestId === null ? null : `request id: ${error.requestId}`,
    error.submissionId === null ? null : `submission: ${error.submissionId}`,
    error.idempotencyKey === null ? null : `idempotency key: ${error.idempotencyKey}`,
  ].filter((fact) => fact !== null)
  return withoutControls(
    [
      `${before}${error.message} (${error.code})`,
      ...untold.map(({ location, message }) => `  ${location}: ${message}`),
      ...facts.map((fact) => `  ${fact}`),
    ].join('\n'),
  )
}

/** An error as programs read it. */
export function errorFacts(error: unknown): Record<string, unknown> {
  if (!(error instanceof PdfnormError)) {
    return { code: null, message: error instanceof Error ? error.message : String(error) }
  }
  const { code, message, status, requestId, retryAfter, submissionId, idempotencyKey } = error
  return {
    code,
    message,
    advice: adviceForError(code),
    status,
    requestId,
    retryAfter,
    submissionId,
    idempotencyKey,
    errors: error.problem?.errors ?? [],
  }
}
