import { errorOf, PdfnormError } from './problem-error.ts'

/** How a request is sent; every field can be set for one call. */
export interface SendOptions {
  /** Aborts the call, also while it waits to try again. */
  readonly signal?: AbortSignal
  /** Milliseconds that one attempt may take. */
  readonly timeoutMs?: number
  /** How often a failed attempt is repeated. */
  readonly maxRetries?: number
}

export interface Attempt {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  /** Makes the body anew for each attempt. */
  readonly body?: () => Promise<RequestBody>
  /**
   * Whether it may be sent again: `always` when the service takes a repetition for the same request, `unprocessed`
   * only when it says that it has not begun, `never` when the body is gone.
   */
  readonly repeat: 'always' | 'unprocessed' | 'never'
}

export interface RequestBody {
  readonly body: BodyInit
  readonly headers: Readonly<Record<string, string>>
  readonly source?: { readonly failure?: { readonly reason: unknown } }
}

export interface SendSettings {
  readonly fetch: typeof fetch
  readonly timeoutMs: number
  readonly maxRetries: number
  readonly retryDelayMs: number
}

/** Longer than this nobody waits inside a call: the error says when to come back. */
const longestWaitSeconds = 60
const longestBackoffMs = 8_000

/**
 * Sends a request until it is answered, or until an attempt fails that is not repeated.
 *
 * @throws {PdfnormError} when the last attempt failed or was refused
 */
export async function send(
  attempt: Attempt,
  settings: SendSettings,
  options: SendOptions = {},
): Promise<Response> {
  const maxRetries = options.maxRetries ?? settings.maxRetries
  for (let retries = 0; ; retries++) {
    const outcome = await sendOnce(attempt, settings, options)
    if (outcome instanceof Response) return outcome
    if (retries >= maxRetries || !isWorthRepeating(outcome, attempt.repeat)) throw outcome
    await waitFor(delayMs(outcome, retries, settings.retryDelayMs), options.signal)
  }
}

/** Resolves after that many milliseconds; rejects with the signal's reason. */
export async function waitFor(milliseconds: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', abort, { once: true })
  })
}

async function sendOnce(
  attempt: Attempt,
  settings: SendSettings,
  { signal, timeoutMs = settings.timeoutMs }: SendOptions,
): Promise<Response | PdfnormError> {
  signal?.throwIfAborted()
  const timeout = AbortSignal.timeout(timeoutMs)
  const upload = await attempt.body?.()
  const request: RequestInit & { duplex?: 'half' } = {
    method: attempt.method,
    headers: { ...attempt.headers, ...upload?.headers },
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    ...(upload === undefined ? {} : { body: upload.body }),
    // The Fetch standard demands it of a request whose body is a stream.
    ...(upload?.body instanceof ReadableStream ? { duplex: 'half' } : {}),
  }
  try {
    const response = await settings.fetch(attempt.url, request)
    return response.ok ? response : await errorOf(response)
  } catch (cause) {
    signal?.throwIfAborted()
    if (upload?.source?.failure !== undefined) throw upload.source.failure.reason
    if (timeout.aborted) {
      return new PdfnormError('TIMED_OUT', `No answer within ${timeoutMs} ms`, { cause })
    }
    return new PdfnormError('CONNECTION_FAILED', `${attempt.url} could not be reached`, { cause })
  }
}

function isWorthRepeating(error: PdfnormError, repeat: Attempt['repeat']): boolean {
  if (repeat === 'never' || (error.retryAfter ?? 0) > longestWaitSeconds) return false
  if (error.status === 429 || error.status === 503) return true
  if (repeat === 'unprocessed') return false
  if (error.status === null) return true
  return error.status === 408 || (error.status >= 500 && error.status !== 501)
}

/** What the service asks for, else exponential backoff with up to a quarter less, so that clients spread. */
function delayMs(error: PdfnormError, retries: number, retryDelayMs: number): number {
  if (error.retryAfter !== null) return error.retryAfter * 1000
  const backoff = Math.min(longestBackoffMs, retryDelayMs * 2 ** retries)
  return backoff * (1 - Math.random() / 4)
}
