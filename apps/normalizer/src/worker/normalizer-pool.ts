import { availableParallelism } from 'node:os'
import pLimit from 'p-limit'
import type { NormalizeOptions } from '../options.ts'
import type { Outcome } from '../outcome.ts'
import { defaultPdfaSettings, type PdfaSettings } from '../pdfa/pdfa-settings.ts'
import type { TrustAnchors } from '../signature/trust-anchors.ts'
import { allowanceFor, type DocumentLimits, documentLimits } from './document-limits.ts'
import type { WorkerSetup } from './serve-documents.ts'
import { type DocumentParcel, startWorkerProcess, type WorkerProcess } from './worker-process.ts'

export interface NormalizerPoolOptions {
  /** Documents at the same time; default: one for each processor. */
  readonly workers?: number
  /** Workers that stand by, so that nobody waits for the start of one in place of another that ended. */
  readonly spareWorkers?: number
  readonly limits?: Partial<DocumentLimits>
  /** Authorities by which signer certificates are judged; default: they are not. */
  readonly trustAnchors?: TrustAnchors | null
  /** Who validates PDF/A, and what is kept for its sake; default: the built-in validator, and nothing. */
  readonly pdfaSettings?: PdfaSettings
  /** The module that a worker runs; default: the one that normalizes. */
  readonly workerModule?: URL
}

export interface NormalizerPool {
  /**
   * Normalizes one document in a worker process, which it has for itself for that time.
   *
   * The buffer behind `bytes` is handed over: the caller can no longer read it. Never rejects for anything in the
   * bytes; a document that breaks its limits is `failed` with RESOURCE_LIMIT_EXCEEDED, and its worker is replaced.
   */
  normalize(bytes: Uint8Array<ArrayBuffer>, options: NormalizeOptions): Promise<Outcome>
  /**
   * The index of the stage in which a worker of this pool has the document with this original; null: none has it, or it
   * has not come to the first.
   *
   * @param sha256 64 lower-case hexadecimal digits
   */
  stageOf(sha256: string): number | null
  /** Ends the workers; documents that they still have are rejected. */
  close(): Promise<void>
}

export function createNormalizerPool({
  workers = availableParallelism(),
  spareWorkers = 1,
  limits = {},
  trustAnchors = null,
  pdfaSettings = defaultPdfaSettings,
  workerModule = new URL('./normalizer-worker.ts', import.meta.url),
}: NormalizerPoolOptions = {}): NormalizerPool {
  const crew = new WorkerCrew(workerModule, { trustAnchors, pdfaSettings })
  const turn = pLimit(workers)
  crew.muster(workers)

  /** A worker that ended while it waited is no fault of the document: it goes to the next one. */
  const handOver = async (parcel: DocumentParcel, tries: number): Promise<Outcome> => {
    crew.muster(workers)
    const worker = await crew.next()
    crew.muster(workers + spareWorkers)
    try {
      return await worker.normalize(parcel)
    } catch (error) {
      if (parcel.bytes === null || tries === 1) throw error
      return handOver(parcel, tries - 1)
    }
  }

  return {
    normalize: (bytes, options) => {
      const allowance = allowanceFor(bytes.byteLength, { ...documentLimits, ...limits })
      const parcel: DocumentParcel = { bytes: takeOver(bytes), options, allowance }
      return turn(() => handOver(parcel, mostTries))
    },
    stageOf: (sha256) => crew.stageOf(sha256),
    close: () => crew.dismiss(),
  }
}

/** Of workers, one after the other, for a document that none has begun with. */
const mostTries = 3

/** The worker processes of a pool: those that start, those that work and those that are ready. */
class WorkerCrew {
  readonly #module: URL
  readonly #setup: WorkerSetup
  readonly #all = new Set<WorkerProcess>()
  /** The one that was at work last is taken first: it is the warmest. */
  readonly #ready: WorkerProcess[] = []
  readonly #awaited: PromiseWithResolvers<WorkerProcess>[] = []
  #dismissed: PromiseWithResolvers<void> | null = null

  constructor(module: URL, setup: WorkerSetup) {
    this.#module = module
    this.#setup = setup
  }

  /** Starts as many as are missing. */
  muster(count: number): void {
    while (!this.#dismissed && this.#all.size < count) this.#start()
  }

  /**
   * The next one that is ready.
   *
   * @throws when none can start, or the pool is closed
   */
  next(): Promise<WorkerProcess> {
    const worker = this.#ready.pop()
    if (worker) return Promise.resolve(worker)
    if (this.#dismissed) return Promise.reject(new Error('The pool of workers was closed.'))
    const awaited = Promise.withResolvers<WorkerProcess>()
    this.#awaited.push(awaited)
    return awaited.promise
  }

  stageOf(sha256: string): number | null {
    for (const worker of this.#all) {
      const record = worker.record()
      if (record?.original.sha256 === sha256) return record.stage
    }
    return null
  }

  dismiss(): Promise<void> {
    this.#dismissed ??= Promise.withResolvers()
    this.#refuse('The pool of workers was closed.')
    for (const worker of this.#all) worker.kill()
    if (this.#all.size === 0) this.#dismissed.resolve()
    return this.#dismissed.promise
  }

  #start(): void {
    let wasReady = false
    const worker = startWorkerProcess(this.#module, this.#setup, {
      onReady: () => {
        wasReady = true
        const awaited = this.#awaited.shift()
        if (awaited) awaited.resolve(worker)
        else this.#ready.push(worker)
      },
      onEnd: (reason) => {
        const size = this.#all.size
        this.#all.delete(worker)
        if (this.#ready.includes(worker)) this.#ready.splice(this.#ready.indexOf(worker), 1)
        if (wasReady) this.muster(size)
        if (this.#all.size > 0) return
        this.#dismissed?.resolve()
        // None came up, and the next would not either: whoever waits learns why.
        this.#refuse(`No worker can start. ${reason}`)
      },
    })
    this.#all.add(worker)
  }

  #refuse(reason: string): void {
    for (const { reject } of this.#awaited.splice(0)) reject(new Error(reason))
  }
}

/** The bytes, without a copy, where they are all of their buffer, which then is no longer the caller's. */
function takeOver(bytes: Uint8Array<ArrayBuffer>): Uint8Array {
  const isWhole = bytes.byteLength === bytes.buffer.byteLength
  return isWhole ? new Uint8Array(bytes.buffer.transfer()) : bytes
}
