import { writeFileSync } from 'node:fs'
import type { NormalizeRun } from '../normalize.ts'
import type { NormalizeOptions } from '../options.ts'
import type { Outcome } from '../outcome.ts'
import type { PdfaSettings } from '../pdfa/pdfa-settings.ts'
import type { TrustAnchors } from '../signature/trust-anchors.ts'
import type { Allowance } from './document-limits.ts'
import { startDocumentWatch } from './document-watch.ts'
import { recordOriginal, recordStage } from './flight-recorder.ts'
import { paceHeapGrowth } from './heap-growth.ts'
import { readMessageSync, writeMessageSync } from './message.ts'

/** Descriptors that the process has from `worker-process.ts`. */
const inherited = { channel: 3, recorder: 4 } as const

/** Head of the first message that a worker gets: what holds for all its documents. */
export interface WorkerSetup {
  readonly trustAnchors: TrustAnchors | null
  readonly pdfaSettings: PdfaSettings
}

/** Head of the message that hands a document over; its bytes are the body. */
export interface DocumentTask {
  readonly options: NormalizeOptions
  readonly allowance: Allowance
}

/**
 * Head of a message of the worker: that it is ready for a document, that it has begun with it and what it knows is in
 * the flight recorder, and the outcome, without its output, which is the body.
 */
export type WorkerHead = 'ready' | 'begun' | Outcome

type NormalizeDocument = (
  bytes: Uint8Array,
  options: NormalizeOptions,
  run: NormalizeRun,
) => Promise<Outcome>

/**
 * The life of a worker process: one document after the other, each under the watch, until the pool is gone or the
 * process has grown.
 */
export async function serveDocuments(work: NormalizeDocument): Promise<void> {
  // A terminal sends these to all processes at once: it is the pool that decides when documents end.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  offerToKernel()
  const watch = startDocumentWatch()
  const setup = readMessageSync(inherited.channel)
  if (!setup) return
  const { trustAnchors, pdfaSettings } = setup.head as WorkerSetup
  while (isLean()) {
    say('ready')
    const message = readMessageSync(inherited.channel)
    if (!message) return
    const { options, allowance } = message.head as DocumentTask
    watch.begin(allowance)
    paceHeapGrowth(message.body.byteLength)
    const outcome = await work(message.body, options, {
      trustAnchors,
      pdfaSettings,
      onOriginal: (original) => {
        recordOriginal(inherited.recorder, original)
        say('begun')
      },
      onStage: (stage) => recordStage(inherited.recorder, stage),
    })
    watch.end()
    hand(outcome)
  }
}

/** Where the memory of the whole machine runs out, Linux ends a worker and not the service. */
function offerToKernel(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Other systems choose by themselves.
  }
}

const nothing = new Uint8Array()

function say(head: WorkerHead): void {
  writeMessageSync(inherited.channel, head, nothing)
}

function hand(outcome: Outcome): void {
  if (outcome.kind !== 'normalized') return say(outcome)
  const { output, ...head } = outcome
  writeMessageSync(inherited.channel, head, output)
}

/**
 * What an earlier document left must not count as the next one's: it is cleared away between documents, and a process
 * that stays large gives its place to another, which costs more time than to clear away thoroughly: `last-resort` also
 * gives the memory back.
 */
function isLean(): boolean {
  if (process.memoryUsage.rss() < leanBytes) return true
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  return process.memoryUsage.rss() < leanBytes
}

/** What a worker has after some hundred ordinary documents; half of what the next one may take. */
const leanBytes = 240 * 1024 * 1024
