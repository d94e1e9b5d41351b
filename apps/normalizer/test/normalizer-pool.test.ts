import { afterEach, expect, test, vi } from 'vitest'
import { normalize } from '../src/normalize.ts'
import { defaultOptions } from '../src/options.ts'
import {
  createNormalizerPool,
  type NormalizerPool,
  type NormalizerPoolOptions,
} from '../src/worker/normalizer-pool.ts'
import { buildPdf, onePage, stream } from './fixture/build-pdf.ts'

// Each test starts workers of its own, and most a second one in place of the first.
vi.setConfig({ testTimeout: 60_000 })

let pool: NormalizerPool | undefined
afterEach(() => pool?.close())

test('a document has the same outcome in a worker as in the calling thread', async () => {
  const bytes = owned(buildPdf())
  const here = await normalize(bytes)

  const there = await open({ threads: 1 }).normalize(bytes.slice(), defaultOptions)

  expect(there.kind).toBe('normalized')
  expect({ ...there, processingTimeMs: 0, stages: [] }).toEqual({
    ...here,
    processingTimeMs: 0,
    stages: [],
  })
})

const tooMuchMemory = {
  code: 'RESOURCE_LIMIT_EXCEEDED',
  message: 'The document needs more memory than allowed.',
}

test.each([
  ['loops', { code: 'RESOURCE_LIMIT_EXCEEDED', message: 'The document took more than 600 ms.' }],
  ['fills the heap', tooMuchMemory],
  ['takes buffers', tooMuchMemory],
  ['exits', { code: 'INTERNAL_ERROR' }],
  ['throws', { code: 'INTERNAL_ERROR' }],
])(
  'a document whose worker %s has failed where it was, and the next is normalized',
  async (word, failure) => {
    const pool = open({
      threads: 1,
      baseTimeMs: word === 'loops' ? 600 : 60_000,
      baseMemoryMebibytes: 300,
      workerModule: new URL('./fixture/breaking-worker.ts', import.meta.url),
    })
    const [broken, next] = await Promise.all([
      pool.normalize(owned(Buffer.from(word)), defaultOptions),
      pool.normalize(owned(buildPdf()), defaultOptions),
    ])

    expect(broken).toMatchObject({
      kind: 'failed',
      original: { sizeBytes: word.length },
      failure: { ...failure, stage: 'ActiveContentRemoval' },
    })
    expect(broken.stages.map(({ result }) => result)).toEqual([
      ...Array.from({ length: 4 }, () => 'skipped'),
      'failed',
      ...Array.from({ length: 5 }, () => 'skipped'),
    ])
    expect(next.kind).toBe('normalized')
  },
)

test('a document that shows without end is ended by the memory of the text engine', async () => {
  const outcome = await open({ threads: 1, baseTimeMs: 60_000 }).normalize(
    owned(endlessToShow()),
    defaultOptions,
  )

  expect(outcome).toMatchObject({
    kind: 'failed',
    failure: {
      code: 'RESOURCE_LIMIT_EXCEEDED',
      message: 'Reading the text needs more memory than allowed',
      stage: 'ContentHash',
    },
  })
})

test('more documents than workers are all normalized', async () => {
  const pool = open({ threads: 2 })
  const texts = Array.from({ length: 12 }, (_, index) => `Document ${index}`)

  const outcomes = await Promise.all(
    texts.map((text) =>
      pool.normalize(owned(buildPdf({ objects: onePage(text) })), defaultOptions),
    ),
  )

  expect(new Set(outcomes.map((outcome) => outcome.kind))).toEqual(new Set(['normalized']))
})

function open(options: NormalizerPoolOptions): NormalizerPool {
  pool = createNormalizerPool(options)
  return pool
}

/** A form that draws a form that draws a form …, each a hundred times: small to store, for ever to show. */
function endlessToShow(): Uint8Array {
  const forms = 12
  const draw = '/Next Do '.repeat(100)
  const objects: Record<number, string | ReturnType<typeof stream>> = {
    ...onePage(),
    3:
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R ' +
      '/Resources << /XObject << /Next 6 0 R >> >> >>',
    4: stream(draw),
  }
  for (let form = 0; form < forms; form++) {
    const next = `/Resources << /XObject << /Next ${7 + form} 0 R >> >>`
    objects[6 + form] = stream(draw, `/Type /XObject /Subtype /Form /BBox [0 0 9 9] ${next}`)
  }
  objects[6 + forms] = stream(
    'BT /F1 9 Tf (x) Tj ET',
    '/Type /XObject /Subtype /Form /BBox [0 0 9 9]',
  )
  return buildPdf({ objects })
}

function owned(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes)
}
