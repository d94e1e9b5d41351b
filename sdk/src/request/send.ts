import { PdfnormError } from '../error/pdfnorm-error.ts'
import { errorOf } from '../error/refusal-errors.ts'
import { keepsStreams } from '../runtime.ts'
import { failureOf } from './failure-of.ts'
import { type Logger, redacted } from './logger.ts'
import { isWorthRepeating, type Repeat, retryDelayMs } from './retry.ts'
import { waitFor } from './wait-for.ts'

/** How a request is sent; every field can be set for one call. */
export interface SendOptions {
  /** Aborts the call, also while it waits to try again; the call then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds that one attempt may take, its body included. */
  readonly timeoutMs?: number | undefined
  /** How often a failed attempt is repeated. */
  readonly maxRetries?: number | undefined
}

/** A request that is about to be sent. A hook may add to its headers. */
export interface OutgoingRequest {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  /** 0 for the first attempt. */
  readonly retries: number
}

export interface SendHooks {
  /** Called before each attempt; what it throws ends the call. */
  readonly onRequest?: ((request: OutgoingRequest) => void | Promise<void>) | undefined
  /** Called with each answer before its body is read; what it throws ends the call. */
  readonly onResponse?:
    | ((response: Response, request: OutgoingRequest) => void | Promise<void>)
    | undefined
  readonly logger?: Logger | undefined
}

export interface SendSettings extends SendHooks {
  readonly fetch: typeof fetch
  readonly timeoutMs: number | undefined
  readonly maxRetries: number
  readonly retryDelayMs: number
}

export interface Attempt<Data> {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  /** Makes the body anew for each attempt. */
  readonly body?: (() => Promise<RequestBody>) | undefined
  /** Reads the answer; a connection that breaks meanwhile is a failed attempt. */
  readonly read: (response: Response) => Promise<Data>
  /** Milliseconds that one attempt may take when nobody says otherwise. */
  readonly timeoutMs: number
  readonly repeat: Repeat
}

export interface RequestBody {
  readonly body: BodyInit
  readonly headers: Readonly<Record<string, string>>
  /** What the caller's own stream threw, which fetch reports like a fault of the network. */
  readonly source?: { readonly failure?: { readonly reason: unknown } }
}

/** What an answer says, and the answer itself for its status and headers. */
export interface Answered<Data> {
  readonly data: Data
  readonly response: Response
}

/**
 * Sends a request until it is answered, or until an attempt fails that is not repeated.
 *
 * @throws {PdfnormError} when the last attempt failed or was refused
 */
export async function send<Data>(
  attempt: Attempt<Data>,
  settings: SendSettings,
  options: SendOptions = {},
): Promise<Answered<Data>> {
  const maxRetries = options.maxRetries ?? settings.maxRetries
  for (let retries = 0; ; retries++) {
    const outcome = await sendOnce(attempt, settings, options, retries)
    if (!(outcome instanceof PdfnormError)) return outcome
    if (retries >= maxRetries || !isWorthRepeating(outcome, attempt.repeat)) throw outcome
    const delay = retryDelayMs(outcome, retries, settings.retryDelayMs)
    settings.logger?.warn(`pdfnorm: ${outcome.code}, trying again in ${Math.round(delay)} ms`)
    await waitFor(delay, options.signal)
  }
}

async function sendOnce<Data>(
  attempt: Attempt<Data>,
  settings: SendSettings,
  { signal, timeoutMs = settings.timeoutMs ?? attempt.timeoutMs }: SendOptions,
  retries: number,
): Promise<Answered<Data> | PdfnormError> {
  signal?.throwIfAborted()
  const timeout = AbortSignal.timeout(timeoutMs)
  const upload = await attempt.body?.()
  const headers = new Headers({ ...attempt.headers, ...upload?.headers })
  const request: OutgoingRequest = { method: attempt.method, url: attempt.url, headers, retries }
  await settings.onRequest?.(request)
  const init: RequestInit = {
    method: attempt.method,
    headers,
    // Following a redirect would hand the key to wherever it leads.
    redirect: 'manual',
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    ...(upload === undefined ? {} : { body: upload.body }),
    ...(upload?.body instanceof ReadableStream ? streamInit() : {}),
  }
  const failed = (cause: unknown, answer?: Response): PdfnormError => {
    signal?.throwIfAborted()
    if (upload?.source?.failure !== undefined) throw upload.source.failure.reason
    return failureOf(attempt.url, { cause, answer, timedOutMs: timeout.aborted ? timeoutMs : null })
  }

  const start = Date.now()
  let response: Response
  try {
    response = await settings.fetch(attempt.url, init)
  } catch (cause) {
    const error = failed(cause)
    log(settings.logger, request, error.code, start)
    return error
  }
  log(settings.logger, request, String(response.status), start)
  await settings.onResponse?.(response, request)
  if (!response.ok) return errorOf(response)
  try {
    return { data: await attempt.read(response), response }
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) return failed(cause, response)
    throw new PdfnormError('UNEXPECTED_ANSWER', 'The answer is not JSON', {
      status: response.status,
      requestId: response.headers.get('x-request-id'),
      cause,
    })
  }
}

/**
 * The Fetch standard demands `duplex` of a request whose body is a stream. Where a request could be sent a second time,
 * after a redirect or a question for a password, it also keeps all that was sent (HTTP-network-or-cache fetch, step 8):
 * with these two it cannot be, and a large file passes through without being held.
 */
function streamInit(): RequestInit & { duplex: 'half' } {
  return keepsStreams() ? { duplex: 'half', redirect: 'error', window: null } : { duplex: 'half' }
}

function log(
  logger: Logger | undefined,
  { method, url, headers, retries }: OutgoingRequest,
  outcome: string,
  start: number,
): void {
  const took = Date.now() - start
  logger?.debug(`pdfnorm: ${method} ${url} → ${outcome} in ${took} ms`, {
    retries,
    headers: redacted(headers),
  })
}
