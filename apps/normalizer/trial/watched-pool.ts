import { availableParallelism } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { NormalizeOptions } from '../src/options.ts'
import type { Outcome } from '../src/outcome.ts'
import { createNormalizerPool } from '../src/worker/normalizer-pool.ts'

/** How a document ended: as the pool promises, or in a way that it must never end. */
export type Ending = Outcome | Fault

export interface Fault {
  readonly kind: 'crash' | 'hang'
  readonly message: string
}

export interface WatchedPool {
  readonly threads: number
  /** The bytes stay the caller's. At most `threads` documents at the same time: waiting counts as hanging. */
  normalize(bytes: Uint8Array, options: NormalizeOptions): Promise<Ending>
  close(): Promise<void>
}

const mebibyte = 1024 * 1024

/** Well above the pool's own limits, so that only a pool which breaks its promise is called hanging. */
function patienceMs(bytes: Uint8Array): number {
  return 60_000 + 8_000 * Math.ceil(bytes.length / mebibyte)
}

/** The pool of the service, watched: a document of which nothing more is heard does not stop the run. */
export function createWatchedPool(threads = availableParallelism()): WatchedPool {
  let pool = createNormalizerPool({ workers: threads })
  const abandoned: (typeof pool)[] = []

  return {
    threads,
    normalize: async (bytes, options) => {
      const heard = new AbortController()
      const given = pool
      const ending = given
        .normalize(new Uint8Array(bytes), options)
        .catch((error: unknown): Fault => ({ kind: 'crash', message: String(error) }))
      const silence = delay(patienceMs(bytes), undefined, { signal: heard.signal }).then(
        (): Fault => ({ kind: 'hang', message: `nothing after ${patienceMs(bytes)} ms` }),
        (): Fault => ({ kind: 'hang', message: 'the watch was ended' }),
      )
      const first = await Promise.race([ending, silence])
      heard.abort()
      if (first.kind === 'hang' && pool === given) {
        abandoned.push(given)
        pool = createNormalizerPool({ workers: threads })
      }
      return first
    },
    close: async () => {
      await Promise.all([pool, ...abandoned].map((each) => each.close()))
    },
  }
}

/** Why the ending is one that no document may have; null for all that the interface promises. */
export function brokenPromise(ending: Ending): string | null {
  if (ending.kind === 'normalized') return null
  if (!('failure' in ending)) return `${ending.kind}: ${ending.message}`
  if (ending.failure.code !== 'INTERNAL_ERROR') return null
  const { stage, message } = ending.failure
  const fault = ending.kind === 'failed' ? ending.fault : undefined
  return `INTERNAL_ERROR at ${stage ?? 'the start'}: ${fault ?? message}`
}

/** The pool ended it as it should; but an ordinary document is not that slow. */
export function endedByClock(ending: Ending): boolean {
  return ending.kind === 'failed' && ending.failure.message.includes('took more than')
}
