import type { NormalizerPool } from '@pdfnorm/normalizer/normalizer-pool'
import { sharedNormalizer } from './shared-normalizer.ts'

/** A pool behind a gate: documents wait in front of it until the test lets them in. */
export interface HeldNormalizer extends NormalizerPool {
  /** Documents in front of the gate or behind it. */
  readonly running: number
  /** The most that were there at the same time. */
  readonly mostRunning: number
  /** Resolves when so many documents have come, counted from the beginning. */
  arrived(documents: number): Promise<void>
  /** Lets in those that wait, and all that come later. */
  release(): void
}

export function holdNormalizer(): HeldNormalizer {
  const gate = Promise.withResolvers<void>()
  const waiting: { documents: number; resolve: () => void }[] = []
  let running = 0
  let mostRunning = 0
  let arrived = 0

  return {
    get running() {
      return running
    },
    get mostRunning() {
      return mostRunning
    },
    async normalize(bytes, options) {
      arrived += 1
      running += 1
      mostRunning = Math.max(mostRunning, running)
      for (const { documents, resolve } of waiting) if (arrived >= documents) resolve()
      try {
        await gate.promise
        return await sharedNormalizer.normalize(bytes, options)
      } finally {
        running -= 1
      }
    },
    arrived(documents) {
      if (arrived >= documents) return Promise.resolve()
      return new Promise((resolve) => waiting.push({ documents, resolve }))
    },
    release: () => gate.resolve(),
    stageOf: (sha256) => sharedNormalizer.stageOf(sha256),
    close() {
      gate.resolve()
      return sharedNormalizer.close()
    },
  }
}
