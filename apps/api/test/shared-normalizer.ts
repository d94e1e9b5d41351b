import { createNormalizerPool, type NormalizerPool } from '@pdfnorm/normalizer/normalizer-pool'

/** The real pool, started once for all servers of a test file: its workers take their time to start. */
export interface SharedNormalizer extends NormalizerPool {
  /** Ends the workers; `close`, which every server calls, leaves them to the next one. */
  end(): Promise<void>
}

export function shareNormalizer(): SharedNormalizer {
  const pool = createNormalizerPool({ workers: 2 })
  return {
    normalize: (bytes, options) => pool.normalize(bytes, options),
    stageOf: (sha256) => pool.stageOf(sha256),
    close: () => Promise.resolve(),
    end: () => pool.close(),
  }
}
