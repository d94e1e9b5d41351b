import { threadId } from 'node:worker_threads'
import { move, transferableSymbol, valueSymbol } from 'piscina'
import { normalize } from '../normalize.ts'
import type { NormalizeOptions } from '../options.ts'
import type { Outcome } from '../outcome.ts'
import { type FlightRecorder, recordBegin, recordOriginal, recordStage } from './flight-recorder.ts'
import { warmUp } from './warm-up.ts'

export interface NormalizerTask {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly options: NormalizeOptions
  readonly recorder: FlightRecorder
}

await warmUp()

/** The pool's side in the worker thread. */
export default async function run({ bytes, options, recorder }: NormalizerTask): Promise<unknown> {
  recordBegin(recorder, threadId)
  const outcome = await normalize(bytes, options, {
    onOriginal: (original) => recordOriginal(recorder, original),
    onStage: (stage) => recordStage(recorder, stage),
  })
  return outcome.kind === 'normalized' ? moved(outcome, outcome.output) : outcome
}

/** Hands the file over without copying it. */
function moved(outcome: Outcome, output: Uint8Array): unknown {
  return move({ [valueSymbol]: outcome, [transferableSymbol]: [output.buffer] })
}
