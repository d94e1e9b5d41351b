import type { FileFacts } from '../outcome.ts'

const stageSlot = 0
const sizeSlot = 1
const digestSlot = 2
const digestBytes = 32
const headerBytes = digestSlot * Int32Array.BYTES_PER_ELEMENT

/** Memory that both threads see: what a worker knew of its document, readable after the worker was killed. */
export type FlightRecorder = SharedArrayBuffer

export function createFlightRecorder(): FlightRecorder {
  const recorder = new SharedArrayBuffer(headerBytes + digestBytes)
  new Int32Array(recorder)[stageSlot] = -1
  return recorder
}

/** Sizes are below 2^31: larger files cannot be read into one buffer of the pool. */
export function recordOriginal(recorder: FlightRecorder, { sha256, sizeBytes }: FileFacts): void {
  new Uint8Array(recorder, headerBytes).set(Buffer.from(sha256, 'hex'))
  Atomics.store(new Int32Array(recorder), sizeSlot, sizeBytes)
}

export function recordStage(recorder: FlightRecorder, stage: number): void {
  Atomics.store(new Int32Array(recorder), stageSlot, stage)
}

/** `stage` is null before the first stage. */
export function readFlightRecorder(recorder: FlightRecorder): {
  original: FileFacts
  stage: number | null
} {
  const slots = new Int32Array(recorder)
  const stage = Atomics.load(slots, stageSlot)
  return {
    original: {
      sha256: Buffer.from(new Uint8Array(recorder, headerBytes)).toString('hex'),
      sizeBytes: Atomics.load(slots, sizeSlot),
    },
    stage: stage < 0 ? null : stage,
  }
}
