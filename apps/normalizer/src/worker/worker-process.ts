import { spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import type { Duplex } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Outcome } from '../outcome.ts'
import type { PdfaValidatorChoice } from '../pdfa/pdfa-settings.ts'
import { heapMebibytes } from './document-limits.ts'
import {
  clearFlightRecorder,
  type FlightRecord,
  openFlightRecorder,
  readFlightRecorder,
} from './flight-recorder.ts'
import { endings, lostDocument, type ProcessEnd, spoken } from './lost-document.ts'
import { encodeHead, MessageAssembly } from './message.ts'
import type { DocumentTask, WorkerHead, WorkerSetup } from './serve-documents.ts'

export interface WorkerProcess {
  /**
   * Normalizes one document; only after `onReady`, which is told again when the worker can take the next one.
   *
   * @throws when the worker is killed, or ends before it has begun with the document, whose bytes are then still there
   */
  normalize(parcel: DocumentParcel): Promise<Outcome>
  /** What it knows of the document that it has; null when it has none, or has not looked at it yet. */
  record(): FlightRecord | null
  /** Ends it at once, with the document that it has. */
  kill(): void
}

/** A document on its way to a worker. */
export interface DocumentParcel extends DocumentTask {
  /** Let go of when the worker has begun: from then on they are needed only there. */
  bytes: Uint8Array | null
}

interface WorkerEvents {
  readonly onReady: () => void
  /** The process is gone; `reason` says how. */
  readonly onEnd: (reason: string) => void
}

interface DocumentAtWork extends PromiseWithResolvers<Outcome> {
  readonly parcel: DocumentParcel
  readonly startedAt: number
  readonly backstop: NodeJS.Timeout
}

/** Starts a process that runs `module`, which must serve documents (`serve-documents.ts`). */
export function startWorkerProcess(
  module: URL,
  setup: WorkerSetup,
  { onReady, onEnd }: WorkerEvents,
): WorkerProcess {
  const recorder = openFlightRecorder()
  const child = spawn(process.execPath, [...nodeOptions, fileURLToPath(module)], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', recorder],
    env: nodeEnvironment,
  })
  const channel = child.stdio[3] as Duplex
  const verapdfMs = waitForVerapdfMs(setup.pdfaSettings.validator)
  let atWork: DocumentAtWork | null = null
  let lastWords = ''
  let isKilled = false

  const leaveWork = (): DocumentAtWork | null => {
    const document = atWork
    atWork = null
    clearTimeout(document?.backstop)
    return document
  }
  const messages = new MessageAssembly(({ head, body }) => {
    const outcome = head as WorkerHead
    if (outcome === 'ready') return onReady()
    if (outcome === 'begun') {
      if (atWork) atWork.parcel.bytes = null
      return
    }
    leaveWork()?.resolve(outcome.kind === 'normalized' ? { ...outcome, output: body } : outcome)
  })
  const lose = ({ resolve, reject, startedAt, parcel }: DocumentAtWork, end: ProcessEnd): void => {
    const record = readFlightRecorder(recorder)
    if (record) parcel.bytes = null
    if (isKilled) reject(new Error('The pool of workers was closed.'))
    else if (!record) reject(new Error(spoken(end)))
    else
      resolve(
        lostDocument(record, Math.round(performance.now() - startedAt), parcel.allowance, end),
      )
  }
  channel.on('data', (piece: Buffer) => messages.add(piece))
  // A worker that ends leaves a broken channel behind; how it ended is told when it is closed.
  channel.on('error', () => {})
  channel.write(encodeHead(setup, 0))
  child.stderr?.on('data', (words: Buffer) => {
    lastWords = (lastWords + words.toString()).slice(-keptWords)
  })
  child.once('error', ({ message }) => {
    lastWords += message
  })
  child.once('close', (code, signal) => {
    const end = { code, signal, lastWords }
    const document = leaveWork()
    if (document) lose(document, end)
    closeSync(recorder)
    onEnd(spoken(end))
  })

  return {
    normalize(parcel) {
      const { bytes, options, allowance } = parcel
      if (!bytes) throw new Error('the document is at another worker')
      const patienceMs = patience * allowance.processorMs + verapdfMs
      const document = {
        ...Promise.withResolvers<Outcome>(),
        parcel,
        startedAt: performance.now(),
        backstop: setTimeout(() => child.kill(endings.timeOver), patienceMs),
      }
      atWork = document
      clearFlightRecorder(recorder)
      const task: DocumentTask = { options, allowance }
      channel.write(encodeHead(task, bytes.byteLength))
      channel.write(bytes)
      return document.promise
    },
    record: () => (atWork === null ? null : readFlightRecorder(recorder)),
    kill() {
      isKilled = true
      child.kill('SIGKILL')
    },
  }
}

/**
 * Young objects have 3 × 8 MiB: larger is not faster here, and what V8 takes by itself is a fifth of what a document
 * may take. `--expose-gc`: a worker clears away between documents.
 */
export const nodeOptions = [
  `--max-old-space-size=${heapMebibytes}`,
  '--max-semi-space-size=8',
  '--expose-gc',
]

/**
 * None of the service's settings: there are secrets among them, and output must not depend on any. What there is tells
 * glibc to give large buffers back when they are freed; it would keep them, and they would count as the next
 * document's.
 */
export const nodeEnvironment = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: String(1024 * 1024),
}

/**
 * A worker ends itself by the processor time that its document takes. This is for one that gets none: the time of the
 * clock, in multiples.
 */
const patience = 6

/** A worker that waits for veraPDF takes no time of its own; a document is validated twice. */
function waitForVerapdfMs(validator: PdfaValidatorChoice): number {
  return validator.kind === 'internal' ? 0 : 2 * validator.timeoutMs
}

/** Of what a worker writes to its standard error; characters. */
const keptWords = 8 * 1024
