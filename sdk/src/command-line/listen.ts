import { type Pdfnorm, PdfnormError, type SubmissionEvent, webhooks } from '../index.ts'
import { waitFor } from '../request/wait-for.ts'
import { clientFor, readConfiguration } from './configuration.ts'
import { type ExitCode, exitCodeOf, exitCodes } from './exit-codes.ts'
import { parseCommand } from './parse-command.ts'
import { errorText, type Terminal, withoutControls } from './terminal.ts'
import { UsageError } from './usage-error.ts'

interface Receiver {
  readonly url: string
  readonly secret: string
}

/** Ends show up late and out of order by less than this. */
const lookBackMs = 30_000
/** As long as the service itself waits for a receiver. */
const receiverTimeoutMs = 15_000

/** `pdfnorm listen [--forward-to http://localhost:4000/hook]` */
export async function listenCommand(
  args: readonly string[],
  terminal: Terminal,
): Promise<ExitCode> {
  const { values, positionals } = parseCommand(args, {
    'forward-to': { type: 'string', short: 'f' },
    secret: { type: 'string' },
    since: { type: 'string' },
    interval: { type: 'string', default: '2' },
    'base-url': { type: 'string' },
    json: { type: 'boolean', default: false },
  })
  if (positionals.length > 0) throw new UsageError('pdfnorm listen takes no files')
  const url = values['forward-to']
  if (url !== undefined && !/^https?:$/.test(protocolOf(url))) {
    throw new UsageError('--forward-to takes an address, as http://localhost:4000/hook')
  }
  const pauseMs = Number(values.interval) * 1000
  if (!(pauseMs > 0)) throw new UsageError('--interval takes seconds')
  const pdfnorm = clientFor(await readConfiguration(terminal, values))
  const since = values.since === undefined ? await now(pdfnorm) : timeOf(values.since)
  const receiver = url === undefined ? null : { url, secret: values.secret ?? newSecret() }
  if (receiver !== null && values.secret === undefined) {
    terminal.tell(`Signing with ${receiver.secret}`)
  }
  terminal.tell(receiver === null ? 'Listening' : `Listening, and sending on to ${receiver.url}`)
  const tell = async (event: SubmissionEvent): Promise<void> => {
    const outcome = receiver === null ? null : await send(event, receiver, terminal.signal)
    terminal.print(values.json ? JSON.stringify({ ...event, outcome }) : textOf(event, outcome))
  }
  return follow(pdfnorm, since, pauseMs, tell, terminal)
}

async function follow(
  pdfnorm: Pdfnorm,
  since: Date,
  pauseMs: number,
  tell: (event: SubmissionEvent) => Promise<void>,
  terminal: Terminal,
): Promise<ExitCode> {
  const { signal } = terminal
  let known = new Map<string, number>()
  let newest = since.getTime()
  while (!signal.aborted) {
    const after = Math.max(since.getTime(), newest - lookBackMs)
    try {
      for await (const event of pdfnorm.listEvents(
        { after: new Date(after), page_size: 100 },
        { signal },
      )) {
        const { submissionId } = event.data
        if (known.has(submissionId)) continue
        const at = Date.parse(event.timestamp)
        known.set(submissionId, at)
        newest = Math.max(newest, at)
        await tell(event)
      }
      await waitFor(pauseMs, signal)
    } catch (error) {
      if (signal.aborted) break
      // What may pass is waited for; a key that is refused is not.
      if (exitCodeOf(error) !== exitCodes.unreachable) throw error
      terminal.tell(errorText(error, null))
      const retryAfter = error instanceof PdfnormError ? (error.retryAfter ?? 0) : 0
      await waitFor(Math.max(pauseMs, retryAfter * 1000), signal).catch(() => {})
    }
    known = new Map([...known].filter(([, at]) => at >= newest - 2 * lookBackMs))
  }
  return exitCodes.done
}

/** The HTTP status, or why there was none. A receiver that fails is told and not asked again. */
async function send(
  event: SubmissionEvent,
  { url, secret }: Receiver,
  signal: AbortSignal,
): Promise<string> {
  const { body, headers } = await webhooks.sign(event, secret, { id: event.data.submissionId })
  const timeout = AbortSignal.timeout(receiverTimeoutMs)
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers,
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout]),
    })
    await response.body?.cancel()
    return String(response.status)
  } catch (error) {
    if (timeout.aborted) return `no answer within ${receiverTimeoutMs / 1000} s`
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return cause instanceof Error ? cause.message : String(cause)
  }
}

function textOf({ timestamp, event, data }: SubmissionEvent, outcome: string | null): string {
  const sent = outcome === null ? '' : `  → ${outcome}`
  return withoutControls(`${timestamp}  ${event}  ${data.submissionId}${sent}`)
}

/** By the service's clock: this machine's may be wrong. */
async function now(pdfnorm: Pdfnorm): Promise<Date> {
  const { response } = await pdfnorm.getKeySet().withResponse()
  return new Date(Date.parse(response.headers.get('date') ?? '') || Date.now())
}

function timeOf(text: string): Date {
  const time = Date.parse(text)
  if (Number.isNaN(time)) throw new UsageError('--since takes a time, as 2026-11-01T09:30:00Z')
  return new Date(time)
}

function newSecret(): string {
  return `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')}`
}

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : ''
}
