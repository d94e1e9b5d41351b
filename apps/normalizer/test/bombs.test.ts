import { afterAll, expect, test } from 'vitest'
import { defaultOptions } from '../src/options.ts'
import type { Outcome } from '../src/outcome.ts'
import { createNormalizerPool } from '../src/worker/normalizer-pool.ts'
import { bombs } from './fixture/bombs.ts'
import { buildPdf } from './fixture/build-pdf.ts'

// The limits are those of the service: a worker that takes too much time or memory is ended, and the outcome says so.
const pool = createNormalizerPool({ workers: 1 })
afterAll(() => pool.close())

const options = { ...defaultOptions, signedPdfPolicy: 'strip' } as const

test.each(Object.entries(bombs))(
  'a document with %s ends within the limits of the reader, and the next one is normalized',
  async (_, build) => {
    const bomb = await pool.normalize(new Uint8Array(build()), options)
    const next = await pool.normalize(new Uint8Array(buildPdf()), options)

    expect(['normalized', 'RESOURCE_LIMIT_EXCEEDED', 'MALFORMED_PDF']).toContain(endingOf(bomb))
    expect(endingOf(next)).toBe('normalized')
  },
  60_000,
)

/** Its kind, or the code of its failure; what the watch had to end is no good ending. */
function endingOf(outcome: Outcome): string {
  if (outcome.kind === 'normalized') return outcome.kind
  const { code, message } = outcome.failure
  return /took more than|more memory than allowed/.test(message) ? message : code
}
