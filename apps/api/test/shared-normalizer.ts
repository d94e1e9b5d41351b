import { createNormalizerPool, type NormalizerPool } from '@pdfnorm/normalizer/normalizer-pool'

/**
 * The real pool, one for all servers of this process, started when the first document comes: its workers take their
 * time to start. `close`, which every server calls, leaves them to the next one; they end with the process.
 */
export const sharedNormalizer: NormalizerPool = {
  normalize: (bytes, options) => pool().normalize(bytes, options),
  stageOf: (sha256) => pool().stageOf(sha256),
  close: () => Promise.resolve(),
}

function pool(): NormalizerPool {
  started ??= createNormalizerPool({ workers: 2 })
  return started
}

let started: NormalizerPool | undefined
