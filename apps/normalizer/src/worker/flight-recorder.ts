import type { FileFacts } from '../outcome.ts'

const begunSlot = 0
const stageSlot = 1
const sizeSlot = 2
const threadSlot = 3
const slotBytes = 4 * Int32Array.BYTES_PER_ELEMENT
const digestBytes = 32

/** Memory that both threads see: what a worker knew of its document, readable after the worker was killed. */
export type FlightRecorder = SharedArrayBuffer

export function createFlightRecorder(): FlightRecorder {
  const recorder = new SharedArrayBuffer(slotBytes + digestBytes)
  new Int32Array(recorder)[stageSlot] = -1
  return recorder
}

/** The worker has the document before it; whoever waits in {@link hasBegun} learns of it. */
export function recordBegin(recorder: FlightRecorder, threadId: number): void {
  const slots = new Int32Array(recorder)
  Atomics.store(slots, threadSlot, threadId)
  Atomics.store(slots, begunSlot, 1)
  Atomics.notify(slots, begunSlot)
}

/** Sizes are below 2^31: larger files cannot be read into one buffer of the pool. */
export function recordOriginal(recorder: FlightRecorder, { sha256, sizeBytes }: FileFacts): void {
  new Uint8Array(recorder, slotBytes).set(Buffer.from(sha256, 'hex'))
  Atomics.store(new Int32Array(recorder), sizeSlot, sizeBytes)
}

export function recordStage(recorder: FlightRecorder, stage: number): void {
  Atomics.store(new Int32Array(recorder), stageSlot, stage)
}

/** Resolves when the worker has begun: the id of its thread; null when it has not after `patienceMs`. */
export async function hasBegun(
  recorder: FlightRecorder,
  patienceMs: number,
): Promise<number | null> {
  const slots = new Int32Array(recorder)
  await Atomics.waitAsync(slots, begunSlot, 0, patienceMs).value
  return Atomics.load(slots, begunSlot) === 0 ? null : Atomics.load(slots, threadSlot)
}

/** `stage` is null before the first stage. */
export function readFlightRecorder(recorder: FlightRecorder): {
  begun: boolean
  original: FileFacts
  stage: number | null
} {
  const slots = new Int32Array(recorder)
  const stage = Atomics.load(slots, stageSlot)
  return {
    begun: Atomics.load(slots, begunSlot) !== 0,
    original: {
      sha256: Buffer.from(new Uint8Array(recorder, slotBytes)).toString('hex'),
      sizeBytes: Atomics.load(slots, sizeSlot),
    },
    stage: stage < 0 ? null : stage,
  }
}
