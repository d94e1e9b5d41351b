import { ftruncateSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FileFacts } from '../outcome.ts'

/** What a worker knew of its document. */
export interface FlightRecord {
  readonly original: FileFacts
  /** Index of the stage that it was in; null before the first. */
  readonly stage: number | null
}

const digestBytes = 32
const recordBytes = 1 + 8 + digestBytes
const sizeAt = 1
const digestAt = 9
const beforeFirstStage = 0xff

/**
 * Opens a file without a name. A worker process writes into it what it knows, which costs microseconds and survives
 * the process, however it ends.
 *
 * @returns its descriptor, which the worker inherits
 */
export function openFlightRecorder(): number {
  const folder = mkdtempSync(join(tmpdir(), 'pdfnorm-worker-'))
  try {
    return openSync(join(folder, 'record'), 'wx+', 0o600)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Before the next document: what stands there is of the one before. */
export function clearFlightRecorder(recorder: number): void {
  ftruncateSync(recorder)
}

export function recordOriginal(recorder: number, { sha256, sizeBytes }: FileFacts): void {
  const record = Buffer.alloc(recordBytes, beforeFirstStage)
  record.writeDoubleLE(sizeBytes, sizeAt)
  record.write(sha256, digestAt, 'hex')
  writeSync(recorder, record, 0, recordBytes, 0)
}

export function recordStage(recorder: number, stage: number): void {
  writeSync(recorder, Uint8Array.of(stage), 0, 1, 0)
}

/** null when the worker had not looked at its document yet. */
export function readFlightRecorder(recorder: number): FlightRecord | null {
  const record = Buffer.alloc(recordBytes)
  if (readSync(recorder, record, 0, recordBytes, 0) < recordBytes) return null
  const stage = record.readUInt8(0)
  return {
    original: {
      sha256: record.toString('hex', digestAt),
      sizeBytes: record.readDoubleLE(sizeAt),
    },
    stage: stage === beforeFirstStage ? null : stage,
  }
}
